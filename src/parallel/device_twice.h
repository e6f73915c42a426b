/* Sums in twice the precision of double over the threads of a block, in an order that depends only on the launch. For
 * cuda/.
 *
 * The rounding error of each addition is summed too (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B), so
 * that sums with cancellation lose nothing. The host adds the parts of all blocks exactly (parallel/sum.h). */
#ifndef TRIAD_PARALLEL_DEVICE_TWICE_H
#define TRIAD_PARALLEL_DEVICE_TWICE_H

#include "parallel/device_block.h"

typedef struct triad_twice {
  double sum, rest;
} triad_twice;

static __device__ __forceinline__ triad_twice triad_twice_add(triad_twice a, double b, double rest)
{
  const double sum = a.sum + b, of_b = sum - a.sum, left = (a.sum - (sum - of_b)) + (b - of_b);
  const triad_twice out = {sum, a.rest + (left + rest)};
  return out;
}

/* Reduce over the block; the result is in thread 0 of `threads`, a multiple of the warp size. All threads must call
 * it. */
static __device__ __forceinline__ triad_twice triad_twice_of_block(triad_twice mine, int thread, int threads)
{
  __shared__ double sums[TRIAD_MAX_WARPS], rests[TRIAD_MAX_WARPS];
  for (int step = TRIAD_WARP / 2; step > 0; step /= 2) {
    const double sum = __shfl_xor_sync(0xffffffffu, mine.sum, step),
                 rest = __shfl_xor_sync(0xffffffffu, mine.rest, step);
    mine = triad_twice_add(mine, sum, rest);
  }
  if (thread % TRIAD_WARP == 0) {
    sums[thread / TRIAD_WARP] = mine.sum;
    rests[thread / TRIAD_WARP] = mine.rest;
  }
  __syncthreads();
  if (thread == 0)
    for (int w = 1; w < threads / TRIAD_WARP; w++) mine = triad_twice_add(mine, sums[w], rests[w]);
  __syncthreads();
  return mine;
}

#endif
