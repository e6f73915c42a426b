/* Navier-Stokes, one mode: rates, budgets, spectra, transfers of the velocity (docs/numerics.md eq. 8, 13, 16). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_MODES_H

#include "solvers/spectral/equations/hd_law.h"
#include "solvers/spectral/equations/velocity_points.h"

enum {
  triad_hd_fields = 3,
  triad_hd_observed = 0,
  triad_hd_terms = 5,
  triad_hd_sources = 0,
  triad_hd_scalars = 1,
  triad_hd_sums = TRIAD_VELOCITY_SUMS,
  triad_hd_densities = 2,
  triad_hd_transfers = 1
};

TRIAD_POINT void triad_hd_mode(const triad_hd_law *law, const triad_real k[3], triad_real inverse_k2,
                               const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->rotation, u, s);
  triad_hd_project(k, inverse_k2, s, n);
}

TRIAD_POINT void triad_hd_source(const triad_hd_law *law, const triad_real k[3], const triad_cplx *u, triad_cplx *made)
{
  (void)law;
  (void)k;
  (void)u;
  (void)made;
}

TRIAD_POINT void triad_hd_mode_sums(const triad_hd_law *law, const double k[3], const triad_cplx *u, double *sums)
{
  triad_velocity_mode_sums(&law->decay, k, u, sums);
}

TRIAD_POINT void triad_hd_mode_densities(const triad_hd_law *law, const double k[3], const triad_cplx *u, double *d)
{
  (void)law;
  d[0] = triad_vector_energy(u);
  d[1] = triad_vector_helicity(k, u);
}

TRIAD_POINT void triad_hd_mode_transfers(const triad_hd_law *law, int part, const triad_real k[3],
                                         triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, double *d)
{
  (void)law;
  (void)part;
  d[0] = triad_velocity_mode_transfer(k, inverse_k2, u, t);
}

#endif
