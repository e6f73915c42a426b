/* Gross-Pitaevskii at the points, the first pass of a stage: psi to the density that exceeds the mean (docs/numerics.md
 * eq. 20). psi's values are kept for the second, gpe_product_law.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_LAW_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_LAW_H

#include "solvers/spectral/equations/gpe_points.h"

enum {
  triad_gpe_in = 2,
  triad_gpe_held = 2,
  triad_gpe_keeps = 2,
  triad_gpe_results = 1,
  triad_gpe_carries = 0,
  triad_gpe_fused = 1,
  triad_gpe_shared = 0
};

typedef struct triad_gpe_law {
  double alpha, beta, density;
  int imaginary_time;
} triad_gpe_law;

TRIAD_POINT void triad_gpe_point(const triad_gpe_law *law, double dt, const triad_real *in, triad_real *out)
{
  (void)dt;
  out[0] = in[0] * in[0] + in[1] * in[1] - (triad_real)law->density;
}

TRIAD_POINT triad_real triad_gpe_rate(const triad_gpe_law *law, const triad_real *in)
{
  return (triad_real)law->beta * (triad_real)fabs(in[0] * in[0] + in[1] * in[1] - (triad_real)law->density);
}

#endif
