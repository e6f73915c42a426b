/* The points of magnetohydrodynamics with the Hall term, in[6..8] = curl b. Nine fields are too many for a thread: not
 * fused. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HALL_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HALL_LAW_H

#include "solvers/spectral/equations/mhd_law.h"

enum {
  triad_hall_in = 9,
  triad_hall_held = 9,
  triad_hall_keeps = 0,
  triad_hall_results = 8,
  triad_hall_carries = 0,
  triad_hall_fused = 0,
  triad_hall_shared = 0
};

typedef triad_mhd_law triad_hall_law;

TRIAD_POINT void triad_hall_point(const triad_hall_law *law, double dt, const triad_real *in, triad_real *out)
{
  const triad_real b[3] = {in[3] + law->mean_field[0], in[4] + law->mean_field[1], in[5] + law->mean_field[2]};
  const triad_real e[3] = {in[0] - law->hall * in[6], in[1] - law->hall * in[7], in[2] - law->hall * in[8]};
  (void)dt;
  triad_mhd_products(in, e, b, out);
}

/* |k.B| (1 + d_i |k|) bounds the frequency of a whistler, which u and the current carry along. */
TRIAD_POINT triad_real triad_hall_rate(const triad_hall_law *law, const triad_real *in)
{
  triad_real rate = 0;
  for (int i = 0; i < 3; i++)
    rate += law->per_spacing[i] *
            ((triad_real)fabs(in[i]) + law->hall * (triad_real)fabs(in[6 + i]) +
             law->whistler * (triad_real)fabs(in[3 + i] + law->mean_field[i]));
  return rate;
}

#endif
