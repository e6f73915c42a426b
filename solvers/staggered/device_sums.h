/* Sums of a kernel (gpu_staggered.h): over threads, then blocks, in an order that the launch alone decides. For cuda/. */
#ifndef TRIAD_SOLVERS_STAGGERED_DEVICE_SUMS_H
#define TRIAD_SOLVERS_STAGGERED_DEVICE_SUMS_H

#include "solvers/staggered/gpu_staggered.h"

#include "parallel/device_block.h"

/* All threads of all blocks call it once. */
template <int SUMS, int MAXIMA = 0>
static __device__ __forceinline__ void add_up(double *value, const triad_staggered_gpu_results &results,
                                              triad_staggered_gpu_after after)
{
  __shared__ int last;
  triad_staggered_gpu_scalars *s = results.scalars;
  const int thread = (int)(threadIdx.x + blockDim.x * threadIdx.y), threads = (int)(blockDim.x * blockDim.y);
  const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  triad_of_block<SUMS, MAXIMA>(value, thread, threads);
  if (thread == 0) {
    for (int i = 0; i < SUMS + MAXIMA; i++) results.partial[(size_t)i * blocks + block] = value[i];
    __threadfence();
    last = atomicAdd(&s->ticket, 1u) == blocks - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (int i = 0; i < SUMS + MAXIMA; i++) {
    value[i] = 0;
    for (unsigned b = (unsigned)thread; b < blocks; b += (unsigned)threads) {
      double other = __ldcg(results.partial + (size_t)i * blocks + b);
      value[i] = i < SUMS ? value[i] + other : fmax(value[i], other);
    }
  }
  triad_of_block<SUMS, MAXIMA>(value, thread, threads);
  if (thread > 0) return;
  for (int i = 0; i < SUMS + MAXIMA; i++) {
    double *there = &s->sum[results.at + i];
    *there = !results.more ? value[i] : i < SUMS ? *there + value[i] : fmax(*there, value[i]);
  }
  s->ticket = 0;
  if (s->alone) triad_staggered_gpu_conclude(s, after);
  if (!results.told) return;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) results.told->sum[i] = s->sum[i];
  __threadfence_system();
  *(volatile unsigned *)&results.told->number = results.number;
}

#endif
