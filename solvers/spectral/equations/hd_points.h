/* Navier-Stokes: arithmetic of one mode, fields u, v, w (docs/methods/spectral.md eq. 8, 16, statistics.md eq. 13). The
 * arithmetic at points is in velocity_points.h, also for any number of passive scalars. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_POINTS_H

#include "solvers/spectral/equations/kernels.h"
#include "solvers/spectral/equations/velocity_points.h"

enum { TRIAD_HD_FIELDS = 3, TRIAD_HD_TERMS = TRIAD_STRESS_TERMS, TRIAD_HD_DENSITIES = 2, TRIAD_HD_TRANSFERS = 1 };

typedef struct triad_hd_constants {
  triad_velocity_constants velocity;
  triad_scalar_constants scalars;
  triad_real beta; /* of a flow in the plane of x and y; 0: none */
} triad_hd_constants;

/* n += i beta k_x/k^2 u, of u and v: what turns the vorticity along z at the rate -beta v where nothing depends on z
 * (docs/methods/spectral.md#rotation-and-scalars). It has no divergence, and no part in the energy. */
TRIAD_POINT void triad_hd_beta(const triad_hd_constants *c, const triad_real k[3], triad_real inverse_k2,
                               const triad_cplx *u, triad_cplx *n)
{
  if (c->beta >= 0 && c->beta <= 0) return;
  triad_real rate = c->beta * k[0] * inverse_k2;
  for (int i = 0; i < 2; i++) {
    n[i].re -= rate * u[i].im;
    n[i].im += rate * u[i].re;
  }
}

TRIAD_POINT void triad_hd_mode(const triad_hd_constants *c, const triad_real k[3], triad_real inverse_k2,
                               const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_velocity_mode(&c->velocity, k, inverse_k2, u, t, n);
  triad_hd_beta(c, k, inverse_k2, u, n);
}

TRIAD_POINT void triad_hd_mode_sums(const triad_hd_constants *c, const triad_wave_numbers *k, const triad_cplx *u,
                                    double *sums)
{
  triad_velocity_mode_sums(&c->velocity.decay, &c->velocity.edge, k, u, sums);
}

TRIAD_POINT void triad_hd_mode_densities(const triad_hd_constants *c, const triad_wave_numbers *k, const triad_cplx *u,
                                         double *d)
{
  (void)c;
  d[0] = triad_vector_energy(u);
  d[1] = triad_vector_helicity(k->derivative, u);
}

TRIAD_POINT void triad_hd_mode_transfers(const triad_hd_constants *c, int part, const triad_real k[3],
                                         triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, double *d)
{
  (void)c;
  (void)part;
  d[0] = triad_velocity_mode_transfer(k, inverse_k2, u, t);
}

/* For every set of a velocity and scalars that it carries; others of its constants play no part at the points. */
TRIAD_GPU_PASS(velocity, triad_velocity_constants, IN = 3, RESULTS = TRIAD_STRESS_PRODUCTS, CARRIES = 1)
TRIAD_GPU_MODES(hd, triad_hd_constants, FIELDS = TRIAD_HD_FIELDS, TERMS = TRIAD_HD_TERMS, SUMS = TRIAD_VELOCITY_SUMS,
                DENSITIES = TRIAD_HD_DENSITIES, TRANSFERS = TRIAD_HD_TRANSFERS, SCALARS = 1, JOINED = 1)

#endif
