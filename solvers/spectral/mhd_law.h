/* Magnetohydrodynamics for one point and one mode: what cuda/points.cu compiles (docs/numerics.md eq. 19). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MHD_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_MHD_LAW_H

#include "solvers/spectral/hd_points.h"
#include "solvers/spectral/mhd_points.h"

/* six fields of two rows do not fit in a thread's registers: not fused */
enum { triad_mhd_fields = 6, triad_mhd_in = 6, triad_mhd_out = 8, triad_mhd_fused = 0 };

typedef struct triad_mhd_law {
  triad_real per_spacing[3], rotation[3], mean_field[3];
} triad_mhd_law;

TRIAD_POINT void triad_mhd_point(const triad_mhd_law *law, const triad_real *in, triad_real *out)
{
  const triad_real b[3] = {in[3] + law->mean_field[0], in[4] + law->mean_field[1], in[5] + law->mean_field[2]};
  triad_mhd_products(in, in, b, out);
}

TRIAD_POINT triad_real triad_mhd_speed(const triad_mhd_law *law, const triad_real *in)
{
  triad_real rate = 0;
  for (int i = 0; i < 3; i++)
    rate += law->per_spacing[i] * (triad_real)(fabs(in[i]) + fabs(in[3 + i] + law->mean_field[i]));
  return rate;
}

TRIAD_POINT void triad_mhd_mode(const triad_mhd_law *law, const triad_real k[3], triad_real inverse_k2,
                                const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->rotation, u, s);
  triad_hd_project(k, inverse_k2, s, n);
  triad_mhd_curl(k, t + 5, n + 3);
}

#endif
