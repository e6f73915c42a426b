/* What launches in cuda/ share: a status from the last launch, and one case a size. For cuda/ only. */
#ifndef TRIAD_FFT_DEVICE_LAUNCH_H
#define TRIAD_FFT_DEVICE_LAUNCH_H

#include "base/status.h"
#include "fft/device_lines.h"
#include "fft/gpu_lines.h"

#include <cuda_runtime.h>

static inline int launched(const char *what)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "launch of %s: %s", what, cudaGetErrorString(error));
}

static inline int no_size(int n)
{
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there is no GPU kernel for %d points along an axis", n);
}

/* Let a kernel take more than 48 KiB of shared memory. */
template <class K> static inline int allow_shared(K kernel, size_t bytes)
{
  if (bytes <= 48 << 10) return TRIAD_OK;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  return error == cudaSuccess ? TRIAD_OK
                              : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "shared memory of %zu bytes: %s", bytes,
                                           cudaGetErrorString(error));
}

/* *peak = max(*peak, value) for value >= 0, or NaN for good; bits of such doubles order as integers do. */
static __device__ __forceinline__ void raise_peak(double *peak, double value)
{
  unsigned long long bits = (unsigned long long)__double_as_longlong(value) & 0x7fffffffffffffffull;
  unsigned active = __activemask();
  for (int step = 16; step > 0; step /= 2) {
    unsigned long long other = __shfl_xor_sync(active, bits, step);
    if (other > bits) bits = other;
  }
  if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0) atomicMax((unsigned long long *)peak, bits);
}

/* At least one: a rank may hold nothing. */
static inline unsigned blocks_for(int64_t n, int64_t each) { return n > 0 ? (unsigned)((n + each - 1) / each) : 1; }

#endif
