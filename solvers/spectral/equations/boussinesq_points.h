/* Boussinesq equations: arithmetic of one mode, fields u, v, w, theta (docs/methods/spectral-sets.md eq. 18). At the
 * points theta is a field that the velocity carries. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_BOUSSINESQ_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_BOUSSINESQ_POINTS_H

#include "solvers/spectral/equations/kernels.h"
#include "solvers/spectral/equations/velocity_points.h"

enum {
  TRIAD_BOUSSINESQ_FIELDS = 4,
  TRIAD_BOUSSINESQ_PRODUCTS = TRIAD_STRESS_PRODUCTS + TRIAD_FLUX_PRODUCTS,
  TRIAD_BOUSSINESQ_TERMS = TRIAD_STRESS_TERMS + TRIAD_FLUX_TERMS,
  TRIAD_BOUSSINESQ_DENSITIES = 5,
  TRIAD_BOUSSINESQ_TRANSFERS = 3
};
enum { TRIAD_BOUSSINESQ_THETA = 3 /* field */, TRIAD_BOUSSINESQ_FLUXES = TRIAD_STRESS_TERMS /* its first term */ };
enum {
  TRIAD_BOUSSINESQ_POTENTIAL = TRIAD_VELOCITY_SUMS,
  TRIAD_BOUSSINESQ_DIFFUSION,
  TRIAD_BOUSSINESQ_FLUX,
  TRIAD_BOUSSINESQ_SLOPE,
  TRIAD_BOUSSINESQ_EDGE,
  TRIAD_BOUSSINESQ_SUMS
};

typedef struct triad_boussinesq_constants {
  triad_velocity_constants velocity;
  triad_decay diffusion;
  triad_real frequency, sign; /* N along z; -1 where the stratification is unstable */
  triad_real frequency_y;     /* N along y, if that is vertical: frequency is 0 then */
  int y_is_up;
  triad_scalar_constants scalars;
} triad_boussinesq_constants;

/* Forces on a mode other than advection: the Coriolis acceleration, that of a mean shear, and -s N theta along -g. */
TRIAD_POINT void triad_boussinesq_forces(const triad_boussinesq_constants *c, triad_real inverse_k2,
                                         const triad_cplx *u, triad_cplx s[3])
{
  const triad_cplx theta = u[TRIAD_BOUSSINESQ_THETA];
  triad_velocity_coriolis(&c->velocity, u, s);
  triad_velocity_shear_pull(&c->velocity, u, s);
  /* the mean buoyancy is carried by the mean pressure gradient: the fluid as a whole does not fall */
  triad_real pull = inverse_k2 > 0 ? c->sign * c->frequency : 0;
  triad_real pull_y = inverse_k2 > 0 ? c->sign * c->frequency_y : 0;
  s[1].re -= pull_y * theta.re;
  s[1].im -= pull_y * theta.im;
  s[2].re -= pull * theta.re;
  s[2].im -= pull * theta.im;
}

/* dtheta/dt takes N w, or N v. */
TRIAD_POINT void triad_boussinesq_mode(const triad_boussinesq_constants *c, const triad_real k[3],
                                       triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3], r = triad_scalar_advection(k, t + TRIAD_BOUSSINESQ_FLUXES);
  triad_velocity_advection(k, t, s);
  triad_boussinesq_forces(c, inverse_k2, u, s);
  triad_velocity_project(k, inverse_k2, s, n);
  triad_velocity_shear_give(&c->velocity, u, n);
  n[TRIAD_BOUSSINESQ_THETA].re = r.re + c->frequency_y * u[1].re + c->frequency * u[2].re;
  n[TRIAD_BOUSSINESQ_THETA].im = r.im + c->frequency_y * u[1].im + c->frequency * u[2].im;
}

TRIAD_POINT void triad_boussinesq_mode_sums(const triad_boussinesq_constants *c, const triad_wave_numbers *k,
                                            const triad_cplx *u, double *sums)
{
  double scalar[TRIAD_SCALAR_SUMS];
  triad_velocity_mode_sums(&c->velocity.decay, &c->velocity.edge, k, u, sums);
  triad_scalar_mode_sums(&c->diffusion, &c->velocity.edge, k, u[TRIAD_BOUSSINESQ_THETA], u, scalar);
  sums[TRIAD_BOUSSINESQ_POTENTIAL] = scalar[0];
  sums[TRIAD_BOUSSINESQ_DIFFUSION] = scalar[1];
  sums[TRIAD_BOUSSINESQ_FLUX] = scalar[TRIAD_SCALAR_SUM_FLUX + (c->y_is_up ? 1 : 2)];
  sums[TRIAD_BOUSSINESQ_SLOPE] = scalar[TRIAD_SCALAR_SUM_SLOPE];
  sums[TRIAD_BOUSSINESQ_EDGE] = scalar[TRIAD_SCALAR_SUM_EDGE];
}

/* Total energy, helicity, kinetic and potential energy, vertical velocity times theta. */
TRIAD_POINT void triad_boussinesq_mode_densities(const triad_boussinesq_constants *c, const triad_wave_numbers *k,
                                                 const triad_cplx *u, double *d)
{
  d[1] = triad_vector_helicity(k->derivative, u);
  d[2] = triad_vector_energy(u);
  d[3] = triad_mode_square(u[TRIAD_BOUSSINESQ_THETA]) / 2;
  d[4] = triad_mode_product(u[c->y_is_up ? 1 : 2], u[TRIAD_BOUSSINESQ_THETA]);
  d[0] = d[2] + d[3];
}

/* Of all, of u, of theta. */
TRIAD_POINT void triad_boussinesq_mode_transfers(const triad_boussinesq_constants *c, int part, const triad_real k[3],
                                                 triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t,
                                                 double *d)
{
  (void)c;
  (void)part;
  d[1] = triad_velocity_mode_transfer(k, inverse_k2, u, t);
  d[2] = triad_scalar_mode_transfer(k, u[TRIAD_BOUSSINESQ_THETA], t + TRIAD_BOUSSINESQ_FLUXES);
  d[0] = d[1] + d[2];
}

TRIAD_GPU_MODES(boussinesq, triad_boussinesq_constants, FIELDS = TRIAD_BOUSSINESQ_FIELDS,
                TERMS = TRIAD_BOUSSINESQ_TERMS, SUMS = TRIAD_BOUSSINESQ_SUMS, DENSITIES = TRIAD_BOUSSINESQ_DENSITIES,
                TRANSFERS = TRIAD_BOUSSINESQ_TRANSFERS, SCALARS = 1, JOINED = 1)

#endif
