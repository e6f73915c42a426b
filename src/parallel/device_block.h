/* Reductions over the threads of a block, in an order that depends only on the launch. For cuda/. */
#ifndef TRIAD_PARALLEL_DEVICE_BLOCK_H
#define TRIAD_PARALLEL_DEVICE_BLOCK_H

#include "parallel/device_launch.h"

enum { TRIAD_WARP = 32, TRIAD_MAX_WARPS = 32 };

/* Reduce over the block: sums of value[0 .. SUMS - 1], maxima of the next MAXIMA values; the result is in thread 0.
 * `thread` is the index of this thread among `threads`, a multiple of the warp size. All threads of the block must
 * call it; they may call it again at once. */
template <int SUMS, int MAXIMA>
static __device__ __forceinline__ void triad_of_block(double *value, int thread, int threads)
{
  __shared__ double part[SUMS + MAXIMA][TRIAD_MAX_WARPS];
#pragma unroll
  for (int i = 0; i < SUMS + MAXIMA; i++) {
    for (int step = TRIAD_WARP / 2; step > 0; step /= 2) {
      double other = __shfl_xor_sync(0xffffffffu, value[i], step);
      value[i] = i < SUMS ? value[i] + other : fmax(value[i], other);
    }
    if (thread % TRIAD_WARP == 0) part[i][thread / TRIAD_WARP] = value[i];
  }
  __syncthreads();
  if (thread == 0)
    for (int i = 0; i < SUMS + MAXIMA; i++)
      for (int w = 1; w < threads / TRIAD_WARP; w++)
        value[i] = i < SUMS ? value[i] + part[i][w] : fmax(value[i], part[i][w]);
  __syncthreads();
}

#endif
