/* Magnetohydrodynamics at the points: what cuda/points.cu compiles (docs/numerics.md eq. 19). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_LAW_H

#include "solvers/spectral/equations/decay_points.h"
#include "solvers/spectral/equations/mhd_points.h"

#include <math.h>

enum {
  triad_mhd_in = 6,
  triad_mhd_held = 6,
  triad_mhd_keeps = 0,
  triad_mhd_results = 8,
  triad_mhd_carries = 0,
  triad_mhd_fused = 1,
  triad_mhd_shared = 3
};

typedef struct triad_mhd_law {
  triad_real per_spacing[3], rotation[3], mean_field[3];
  triad_real hall, whistler; /* d_i; 1 + d_i times the largest wavenumber */
  triad_decay decay, decay_b;
} triad_mhd_law;

TRIAD_POINT void triad_mhd_point(const triad_mhd_law *law, double dt, const triad_real *in, triad_real *out)
{
  const triad_real b[3] = {in[3] + law->mean_field[0], in[4] + law->mean_field[1], in[5] + law->mean_field[2]};
  (void)dt;
  triad_mhd_products(in, in, b, out);
}

TRIAD_POINT triad_real triad_mhd_rate(const triad_mhd_law *law, const triad_real *in)
{
  triad_real rate = 0;
  for (int i = 0; i < 3; i++)
    rate += law->per_spacing[i] * (triad_real)(fabs(in[i]) + fabs(in[3 + i] + law->mean_field[i]));
  return rate;
}

#endif
