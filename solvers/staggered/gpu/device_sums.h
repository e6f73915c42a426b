/* Sums of a kernel (gpu_staggered.h): over threads, then blocks, in an order that the launch alone decides, then
 * ranks in theirs. For cuda/. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_SUMS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_SUMS_H

#include "solvers/staggered/gpu/gpu_staggered.h"

#include "parallel/device_block.h"

/* Half of a double (0: the lower, 1: the upper) under a number, and back. */
static __device__ __forceinline__ unsigned long long triad_word_of(double value, int half, unsigned number)
{
  const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
  return (unsigned long long)number << 32 | (bits >> 32 * half & 0xffffffffu);
}

static __device__ __forceinline__ double triad_of_words(unsigned long long lower, unsigned long long upper)
{
  return __longlong_as_double((long long)(upper << 32 | (lower & 0xffffffffu)));
}

/* A word that another GPU writes, once it has come under its number. */
static __device__ __forceinline__ unsigned long long triad_await(const unsigned long long *box, unsigned number)
{
  unsigned long long word;
  while (word = *(const volatile unsigned long long *)box, (unsigned)(word >> 32) != number) __nanosleep(20);
  return word;
}

/* Reduce value[] of thread 0 over all ranks: sums in the order of ranks, so that all get the same bits, or maxima. All
 * threads of one block of each rank call it, the same number of times on each. Afterwards data that this kernel has
 * stored on other GPUs, and they here, are visible, provided that the storing thread has issued a fence and this block
 * has waited for it. */
template <int SUMS, int MAXIMA>
static __device__ __forceinline__ void meet(double *value, const triad_staggered_gpu_meeting &m, int thread,
                                            int threads)
{
  enum { N = SUMS + MAXIMA, AT_ONCE = 32 };
  __shared__ double of[AT_ONCE][N];
  const unsigned number = *(const volatile unsigned *)m.number + 1;
  const size_t mine = ((number & 1) * (size_t)m.ranks + (size_t)m.rank) * TRIAD_STAGGERED_GPU_WORDS;
  if (thread == 0)
    for (int i = 0; i < N; i++) of[0][i] = value[i];
  __syncthreads();
  if (thread < m.ranks) __threadfence_system();
  for (int r = thread; r < m.ranks; r += threads)
    for (int w = 0; w < 2 * N; w++)
      *(volatile unsigned long long *)(m.boxes[r] + mine + w) = triad_word_of(of[0][w / 2], w % 2, number);
  __syncthreads();
  for (int first = 0; first < m.ranks; first += AT_ONCE) {
    const int r = first + thread;
    if (thread < AT_ONCE && r < m.ranks) {
      for (int i = 0; i < N; i++) {
        const unsigned long long *box =
          m.box + ((number & 1) * (size_t)m.ranks + (size_t)r) * TRIAD_STAGGERED_GPU_WORDS + 2 * i;
        const unsigned long long lower = triad_await(box, number), upper = triad_await(box + 1, number);
        of[thread][i] = triad_of_words(lower, upper);
      }
      __threadfence_system();
    }
    __syncthreads();
    for (int s = 0; thread == 0 && s < AT_ONCE && first + s < m.ranks; s++)
      for (int i = 0; i < N; i++)
        value[i] = first + s == 0 ? of[s][i] : i < SUMS ? value[i] + of[s][i] : fmax(value[i], of[s][i]);
    __syncthreads();
  }
  if (thread == 0) *m.number = number;
}

/* All threads of all blocks call it once. sent: has any thread of this block stored on another GPU? layer: the
 * block's place across z in the order of the sum. */
template <int SUMS, int MAXIMA = 0>
static __device__ __forceinline__ void add_up(double *value, const triad_staggered_gpu_results &results,
                                              triad_staggered_gpu_after after, bool sent, unsigned layer)
{
  __shared__ int last;
  triad_staggered_gpu_scalars *s = results.scalars;
  const int thread = (int)(threadIdx.x + blockDim.x * threadIdx.y), threads = (int)(blockDim.x * blockDim.y);
  const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * layer);
  triad_of_block<SUMS, MAXIMA>(value, thread, threads);
  if (thread == 0) {
    for (int i = 0; i < SUMS + MAXIMA; i++) results.partial[(size_t)i * blocks + block] = value[i];
    if (sent) __threadfence_system();
    else __threadfence();
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
  if (results.meeting.ranks > 0 && !results.part) meet<SUMS, MAXIMA>(value, results.meeting, thread, threads);
  if (thread > 0) return;
  for (int i = 0; i < SUMS + MAXIMA; i++) {
    double *there = &s->sum[results.at + i];
    *there = !results.more ? value[i] : i < SUMS ? *there + value[i] : fmax(*there, value[i]);
  }
  s->ticket = 0;
  if (s->concludes && !results.part) triad_staggered_gpu_conclude(s, after);
  if (!results.told) return;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) results.told->sum[i] = s->sum[i];
  __threadfence_system();
  *(volatile unsigned *)&results.told->number = results.number;
}

template <int SUMS, int MAXIMA = 0>
static __device__ __forceinline__ void add_up(double *value, const triad_staggered_gpu_results &results,
                                              triad_staggered_gpu_after after)
{
  add_up<SUMS, MAXIMA>(value, results, after, false, blockIdx.z);
}

#endif
