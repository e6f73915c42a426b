/* Boussinesq equations, one mode (docs/numerics.md eq. 18). At the points theta is a field that the velocity carries:
 * hd_law.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_BOUSSINESQ_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_BOUSSINESQ_MODES_H

#include "solvers/spectral/equations/hd_law.h"
#include "solvers/spectral/equations/velocity_points.h"

enum { TRIAD_BOUSSINESQ_POTENTIAL = TRIAD_VELOCITY_SUMS, TRIAD_BOUSSINESQ_DIFFUSION, TRIAD_BOUSSINESQ_FLUX,
       TRIAD_BOUSSINESQ_SUMS };

enum {
  triad_boussinesq_fields = 4,
  triad_boussinesq_observed = 0,
  triad_boussinesq_terms = 8,
  triad_boussinesq_sources = 0,
  triad_boussinesq_scalars = 0,
  triad_boussinesq_sums = TRIAD_BOUSSINESQ_SUMS,
  triad_boussinesq_densities = 5,
  triad_boussinesq_transfers = 3
};

typedef struct triad_boussinesq_law {
  triad_hd_law velocity;      /* first: the x pass knows only that */
  triad_decay diffusion;
  triad_real frequency, sign; /* N; -1 where unstable */
} triad_boussinesq_law;

TRIAD_POINT void triad_boussinesq_mode(const triad_boussinesq_law *law, const triad_real k[3], triad_real inverse_k2,
                                       const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->velocity.rotation, u, s);
  /* the mean buoyancy is carried by the mean pressure gradient: the fluid as a whole does not fall */
  triad_real pull = inverse_k2 > 0 ? law->sign * law->frequency : 0;
  s[2].re -= pull * u[3].re;
  s[2].im -= pull * u[3].im;
  triad_hd_project(k, inverse_k2, s, n);
  n[3] = triad_hd_flux(k, t + 5);
  n[3].re += law->frequency * u[2].re;
  n[3].im += law->frequency * u[2].im;
}

TRIAD_POINT void triad_boussinesq_source(const triad_boussinesq_law *law, const triad_real k[3], const triad_cplx *u, triad_cplx *made)
{
  (void)law;
  (void)k;
  (void)u;
  (void)made;
}

TRIAD_POINT void triad_boussinesq_mode_sums(const triad_boussinesq_law *law, const double k[3], const triad_cplx *u,
                                            double *sums)
{
  double scalar[TRIAD_SCALAR_SUMS];
  triad_velocity_mode_sums(&law->velocity.decay, k, u, sums);
  triad_scalar_mode_sums(&law->diffusion, triad_mode_k2(k), u[3], u, scalar);
  sums[TRIAD_BOUSSINESQ_POTENTIAL] = scalar[0];
  sums[TRIAD_BOUSSINESQ_DIFFUSION] = scalar[1];
  sums[TRIAD_BOUSSINESQ_FLUX] = scalar[4];
}

TRIAD_POINT void triad_boussinesq_mode_densities(const triad_boussinesq_law *law, const double k[3],
                                                 const triad_cplx *u, double *d)
{
  (void)law;
  d[1] = triad_vector_helicity(k, u);
  d[2] = triad_vector_energy(u);
  d[3] = triad_mode_square(u[3]) / 2;
  d[4] = triad_mode_product(u[2], u[3]);
  d[0] = d[2] + d[3];
}

TRIAD_POINT void triad_boussinesq_mode_transfers(const triad_boussinesq_law *law, int part, const triad_real k[3],
                                                 triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t,
                                                 double *d)
{
  (void)law;
  (void)part;
  d[1] = triad_velocity_mode_transfer(k, inverse_k2, u, t);
  d[2] = triad_scalar_mode_transfer(k, u[3], t + 5);
  d[0] = d[1] + d[2];
}

#endif
