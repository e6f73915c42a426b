/* Navier-Stokes for one point and one mode: what cuda/points.cu compiles (docs/numerics.md eq. 7, 8, 16). */
#ifndef TRIAD_SOLVERS_SPECTRAL_HD_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_HD_LAW_H

#include "solvers/spectral/hd_points.h"

enum { triad_hd_fields = 3, triad_hd_in = 3, triad_hd_out = 5, triad_hd_fused = 1 };

typedef struct triad_hd_law {
  triad_real per_spacing[3], rotation[3];
} triad_hd_law;

TRIAD_POINT void triad_hd_point(const triad_hd_law *law, const triad_real *in, triad_real *out)
{
  (void)law;
  triad_hd_products(in[0], in[1], in[2], out);
}

TRIAD_POINT triad_real triad_hd_speed(const triad_hd_law *law, const triad_real *in)
{
  return law->per_spacing[0] * (triad_real)fabs(in[0]) + law->per_spacing[1] * (triad_real)fabs(in[1]) +
         law->per_spacing[2] * (triad_real)fabs(in[2]);
}

TRIAD_POINT void triad_hd_mode(const triad_hd_law *law, const triad_real k[3], triad_real inverse_k2,
                               const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->rotation, u, s);
  triad_hd_project(k, inverse_k2, s, n);
}

#endif
