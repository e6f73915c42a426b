/* What threads of a kernel find together (gpu_fct.h): whole numbers and maxima, which come out the same in any order. For cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_FOUND_H
#define TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_FOUND_H

#include "solvers/unstructured/gpu_fct.h"

#include "parallel/device_launch.h"

#include <string.h>

enum { THREADS = 128, WARP = 32 };

/* On the host, where unit tests run kernels, one thread works at a time. */
#ifdef __CUDACC__
static __device__ __forceinline__ void found_more(unsigned long long *at, unsigned long long by) { atomicAdd(at, by); }
static __device__ __forceinline__ void found_larger(unsigned long long *at, unsigned long long by) { atomicMax(at, by); }
static __device__ __forceinline__ unsigned long long bits_of(double x) { return (unsigned long long)__double_as_longlong(x); }
static __device__ __forceinline__ void add_atomically(triad_real *at, triad_real by) { atomicAdd(at, by); }
#else
static inline void found_more(unsigned long long *at, unsigned long long by) { *at += by; }
static inline void found_larger(unsigned long long *at, unsigned long long by) { *at = *at > by ? *at : by; }
static inline void add_atomically(triad_real *at, triad_real by) { *at += by; }
static inline unsigned long long bits_of(double x)
{
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
#endif

/* Of a block's threads: the sum of each value[0 .. SUMS - 1], the largest of the others, in thread 0. */
template <int SUMS, int MAXIMA> static __device__ __forceinline__ void of_block(double *value)
{
  __shared__ double part[SUMS + MAXIMA][THREADS / WARP];
  const int thread = (int)threadIdx.x;
#pragma unroll
  for (int i = 0; i < SUMS + MAXIMA; i++) {
    for (int step = WARP / 2; step > 0; step /= 2) {
      double other = __shfl_xor_sync(0xffffffffu, value[i], step);
      value[i] = i < SUMS ? value[i] + other : fmax(value[i], other);
    }
    if (thread % WARP == 0) part[i][thread / WARP] = value[i];
  }
  __syncthreads();
  if (thread == 0)
    for (int i = 0; i < SUMS + MAXIMA; i++)
      for (int w = 1; w < THREADS / WARP; w++) value[i] = i < SUMS ? value[i] + part[i][w] : fmax(value[i], part[i][w]);
  __syncthreads();
}

#endif
