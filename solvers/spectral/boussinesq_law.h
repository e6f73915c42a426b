/* Boussinesq equations for one point and one mode: what cuda/points.cu compiles (docs/numerics.md eq. 18). */
#ifndef TRIAD_SOLVERS_SPECTRAL_BOUSSINESQ_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_BOUSSINESQ_LAW_H

#include "solvers/spectral/hd_points.h"

enum { triad_boussinesq_fields = 4, triad_boussinesq_in = 4, triad_boussinesq_out = 8, triad_boussinesq_fused = 1 };

typedef struct triad_boussinesq_law {
  triad_real per_spacing[3], rotation[3];
  triad_real frequency, sign; /* N; -1 where unstable */
} triad_boussinesq_law;

TRIAD_POINT void triad_boussinesq_point(const triad_boussinesq_law *law, const triad_real *in, triad_real *out)
{
  (void)law;
  triad_hd_products(in[0], in[1], in[2], out);
  for (int i = 0; i < 3; i++) out[5 + i] = in[i] * in[3];
}

TRIAD_POINT triad_real triad_boussinesq_speed(const triad_boussinesq_law *law, const triad_real *in)
{
  return law->per_spacing[0] * (triad_real)fabs(in[0]) + law->per_spacing[1] * (triad_real)fabs(in[1]) +
         law->per_spacing[2] * (triad_real)fabs(in[2]);
}

TRIAD_POINT void triad_boussinesq_mode(const triad_boussinesq_law *law, const triad_real k[3], triad_real inverse_k2,
                                       const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  triad_cplx s[3];
  triad_hd_advection(k, t, s);
  triad_hd_coriolis(law->rotation, u, s);
  /* the mean buoyancy is carried by the mean pressure gradient: the fluid as a whole does not fall */
  triad_real pull = inverse_k2 > 0 ? law->sign * law->frequency : 0;
  s[2].re -= pull * u[3].re;
  s[2].im -= pull * u[3].im;
  triad_hd_project(k, inverse_k2, s, n);
  n[3] = triad_hd_flux(k, t + 5);
  n[3].re += law->frequency * u[2].re;
  n[3].im += law->frequency * u[2].im;
}

#endif
