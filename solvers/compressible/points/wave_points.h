/* Waves of a random acceleration at one point, on any device. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WAVE_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WAVE_POINTS_H

#include "base/point.h"

#include <stdint.h>

/* e^{i k x_j} along an axis of `points`, also of k < 0; wave[k][points][re, im] of k >= 0. */
TRIAD_POINT_INLINE void triad_gas_wave_at(const double *wave, int64_t points, int64_t k, int64_t j, double *re,
                                          double *im)
{
  const double *at = wave + 2 * ((k < 0 ? -k : k) * points + j);
  *re = at[0];
  *im = k < 0 ? -at[1] : at[1];
}

#endif
