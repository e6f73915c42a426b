/* How launches of the compressible solver are cut. For cuda/ only. */
#ifndef TRIAD_SOLVERS_WENO_DEVICE_LAUNCH_H
#define TRIAD_SOLVERS_WENO_DEVICE_LAUNCH_H

#include "parallel/device_launch.h"

/* Threads of a block that marches, lanes along x times rows; and of one along x, at most. */
enum { TRIAD_WENO_MARCHING = 128, TRIAD_WENO_LEAST_LANES = 32, TRIAD_WENO_ROW = 192 };

/* Points of a march: long, so that little is done twice at its ends, but with enough threads to fill the GPU. */
static inline int64_t segment_of(int64_t n, int64_t rows)
{
  int64_t segment = n;
  while (segment > 8 && rows * ((n + segment - 1) / segment) < 400000) segment = (segment + 1) / 2;
  return segment;
}

/* Threads along x: as few of them idle as can be. */
static inline int lanes_for(int64_t n)
{
  int best = TRIAD_WENO_MARCHING;
  for (int lanes = TRIAD_WENO_MARCHING; lanes >= TRIAD_WENO_LEAST_LANES; lanes /= 2)
    if (blocks_for(n, lanes) * (int64_t)lanes < blocks_for(n, best) * (int64_t)best) best = lanes;
  return best;
}

/* Threads of a block along x: whole warps, as few of them idle as can be. */
static inline int x_threads(int64_t n, int margin)
{
  int best = TRIAD_WENO_ROW;
  for (int threads = TRIAD_WENO_ROW; threads >= 64; threads -= 32)
    if (blocks_for(n, threads - 2 * margin) * (int64_t)threads < blocks_for(n, best - 2 * margin) * (int64_t)best)
      best = threads;
  return best;
}

#endif
