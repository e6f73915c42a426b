/* The effect of forces, cooling and sponges on the state of a gas at one point, on any device
 * (docs/methods/compressible.md). u: the conserved fields. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FORCE_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FORCE_POINTS_H

#include "base/point.h"
#include "solvers/compressible/points/wave_points.h"

#include <stdint.h>

TRIAD_POINT_INLINE double triad_gas_kinetic(triad_real *const *u, int64_t i)
{
  const double mx = (double)u[1][i], my = (double)u[2][i], mz = (double)u[3][i];
  return (mx * mx + my * my + mz * mz) / (2 * (double)u[0][i]);
}

/* The velocity changes by d, density and internal energy do not. Returns what the kinetic energy gains. */
TRIAD_POINT_INLINE double triad_gas_kick(triad_real *const *u, int64_t i, const double d[3])
{
  const double rho = (double)u[0][i];
  double gain = 0;
  for (int c = 0; c < 3; c++) {
    const double m = (double)u[1 + c][i];
    gain += d[c] * (m + rho * d[c] / 2);
    u[1 + c][i] = (triad_real)(m + rho * d[c]);
  }
  u[4][i] = (triad_real)((double)u[4][i] + gain);
  return gain;
}

/* The internal energy times a number. */
TRIAD_POINT_INLINE void triad_gas_scale_internal(triad_real *const *u, int64_t i, double factor)
{
  const double energy = triad_gas_kinetic(u, i);
  u[4][i] = (triad_real)(energy + factor * ((double)u[4][i] - energy));
}

/* q = q_s + (q - q_s) exp(-s dt), s = rate[at], q_s = to[5][at]. */
TRIAD_POINT_INLINE void triad_gas_draw(triad_real *const *u, int64_t i, const triad_real *rate, triad_real *const *to,
                                       int64_t at, double dt)
{
  if (!(rate[at] > 0)) return;
  const double keep = exp(-(double)rate[at] * dt);
  for (int f = 0; f < 5; f++) {
    const double there = (double)to[f][at];
    u[f][i] = (triad_real)(there + keep * ((double)u[f][i] - there));
  }
}

#endif
