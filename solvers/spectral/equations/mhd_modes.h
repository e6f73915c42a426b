/* Magnetohydrodynamics, one mode: fields u, v, w, bx, by, bz (docs/numerics.md eq. 19). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_MODES_H

#include "solvers/spectral/equations/mhd_law.h"
#include "solvers/spectral/equations/velocity_points.h"

enum { TRIAD_MHD_SUM_MAGNETIC = TRIAD_VELOCITY_SUMS, TRIAD_MHD_SUM_CURRENT, TRIAD_MHD_SUM_JOULE, TRIAD_MHD_SUM_CROSS,
       TRIAD_MHD_SUM_HELICITY, TRIAD_MHD_SUM_DIV_B, TRIAD_MHD_SUMS };

enum {
  triad_mhd_fields = 6,
  triad_mhd_observed = 0,
  triad_mhd_terms = 8,
  triad_mhd_sources = 3,
  triad_mhd_scalars = 0,
  triad_mhd_sums = TRIAD_MHD_SUMS,
  triad_mhd_densities = 6,
  triad_mhd_transfers = 5
};

TRIAD_POINT void triad_mhd_mode(const triad_mhd_law *law, const triad_real k[3], triad_real inverse_k2,
                                const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->rotation, u, s);
  triad_hd_project(k, inverse_k2, s, n);
  triad_mhd_curl(k, t + 5, n + 3);
}

/* What the Hall term needs besides: curl b. */
TRIAD_POINT void triad_mhd_source(const triad_mhd_law *law, const triad_real k[3], const triad_cplx *u, triad_cplx *j)
{
  (void)law;
  triad_mhd_curl(k, u + 3, j);
}

TRIAD_POINT double triad_mhd_mode_cross(const triad_cplx *u)
{
  return triad_mode_product(u[0], u[3]) + triad_mode_product(u[1], u[4]) + triad_mode_product(u[2], u[5]);
}

/* b has the sums that a velocity has: its enstrophy is the squared current, its helicity over k^2 that of a. */
TRIAD_POINT void triad_mhd_mode_sums(const triad_mhd_law *law, const double k[3], const triad_cplx *u, double *sums)
{
  double b[TRIAD_VELOCITY_SUMS], k2 = triad_mode_k2(k);
  triad_velocity_mode_sums(&law->decay, k, u, sums);
  triad_velocity_mode_sums(&law->decay_b, k, u + 3, b);
  sums[TRIAD_MHD_SUM_MAGNETIC] = b[TRIAD_SUM_ENERGY];
  sums[TRIAD_MHD_SUM_CURRENT] = b[TRIAD_SUM_ENSTROPHY];
  sums[TRIAD_MHD_SUM_JOULE] = b[TRIAD_SUM_DISSIPATION];
  sums[TRIAD_MHD_SUM_CROSS] = triad_mhd_mode_cross(u);
  sums[TRIAD_MHD_SUM_HELICITY] = k2 > 0 ? b[TRIAD_SUM_HELICITY] / k2 : 0;
  sums[TRIAD_MHD_SUM_DIV_B] = b[TRIAD_SUM_DIVERGENCE];
}

TRIAD_POINT void triad_mhd_mode_densities(const triad_mhd_law *law, const double k[3], const triad_cplx *u, double *d)
{
  double k2 = triad_mode_k2(k);
  (void)law;
  d[1] = triad_vector_helicity(k, u);
  d[2] = triad_vector_energy(u);
  d[3] = triad_vector_energy(u + 3);
  d[4] = triad_mhd_mode_cross(u);
  d[5] = k2 > 0 ? triad_vector_helicity(k, u + 3) / k2 : 0;
  d[0] = d[2] + d[3];
}

/* Re conj(b).(i k x e), what an electromotive force gives |b|^2/2. */
TRIAD_POINT double triad_mhd_mode_induction(const triad_real k[3], const triad_cplx b[3], const triad_cplx e[3])
{
  triad_cplx d[3];
  triad_mhd_curl(k, e, d);
  return triad_mode_product(b[0], d[0]) + triad_mode_product(b[1], d[1]) + triad_mode_product(b[2], d[2]);
}

/* Part 0 has all of the stress, part 1 what is left of it without b. */
TRIAD_POINT void triad_mhd_mode_transfers(const triad_mhd_law *law, int part, const triad_real k[3],
                                          triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, double *d)
{
  double stress = triad_velocity_mode_transfer(k, inverse_k2, u, t);
  double induction = part == 0 ? triad_mhd_mode_induction(k, u + 3, t + 5) : 0;
  (void)law;
  d[0] = part == 0 ? stress + induction : 0;
  d[1] = part == 0 ? stress : 0;
  d[2] = induction;
  d[3] = part == 0 ? 0 : stress;
  d[4] = part == 0 ? stress : -stress;
}

#endif
