/* Integer sums and maxima over all threads of a kernel (gpu_unstructured.h), which do not depend on the order. For
 * cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_FOUND_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_FOUND_H

#include "solvers/unstructured/gpu/gpu_unstructured.h"

#include "parallel/device_block.h"

#include <string.h>

enum { THREADS = TRIAD_UNSTRUCTURED_GPU_THREADS };

/* In unit tests, which run kernels on the host, threads run one at a time. */
#ifdef __CUDACC__
static __device__ __forceinline__ void found_more(unsigned long long *at, unsigned long long by) { atomicAdd(at, by); }
static __device__ __forceinline__ void found_larger(unsigned long long *at, unsigned long long by)
{
  atomicMax(at, by);
}
static __device__ __forceinline__ unsigned long long bits_of(double x)
{
  return (unsigned long long)__double_as_longlong(x);
}
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

template <int SUMS, int MAXIMA> static __device__ __forceinline__ void of_block(double *value)
{
  triad_of_block<SUMS, MAXIMA>(value, (int)threadIdx.x, THREADS);
}

#endif
