/* CUDA's functions for a warp, from those that HIP has for a wave of an AMD GPU (make HIP=1). Kernels are written for
 * warps of 32 threads. An AMD wave has 64 lanes (CDNA) or 32 (RDNA): here a warp is 32 neighbouring lanes of a wave, so
 * shuffles have a width of 32 and votes see their own half of a wave. Kernels and their results are then the same on
 * both widths.
 *
 * Two rules follow for kernels. A thread must not spin until another thread of its wave acts: lanes of a wave have no
 * progress of their own. Threads of a block wait for all of it or for their own warp; there is no barrier between.
 *
 * Included by cuda_runtime.h of this folder; by kernels compiled at run time; and, with HIP's functions emulated on the
 * host, by unit tests (tests/help/fake/waves.h). */
#ifndef TRIAD_PARALLEL_HIP_DEVICE_WARP_H
#define TRIAD_PARALLEL_HIP_DEVICE_WARP_H

enum { TRIAD_HIP_WARP = 32 };

/* This warp's 32 bits of those of its wave. */
static __device__ __forceinline__ unsigned triad_hip_half(unsigned long long bits)
{
  return (unsigned)(bits >> (__lane_id() & (unsigned)TRIAD_HIP_WARP));
}

/* Bit i: lane i of the warp has the same value and is active. */
static __device__ __forceinline__ unsigned triad_hip_match(int value)
{
  const unsigned active = triad_hip_half(__ballot(1));
  unsigned same = 0;
  for (int i = 0; i < TRIAD_HIP_WARP; i++) same |= (unsigned)(__shfl(value, i, TRIAD_HIP_WARP) == value) << i;
  return same & active;
}

static __device__ __forceinline__ unsigned triad_hip_add(unsigned value)
{
  for (int step = TRIAD_HIP_WARP / 2; step > 0; step /= 2) value += __shfl_xor(value, step, TRIAD_HIP_WARP);
  return value;
}

/* The following serve as __shfl_sync and its kin. A mask is not needed: it is that of the threads that call. */
template <class T> static __device__ __forceinline__ T triad_hip_shfl(T value, int lane)
{
  return __shfl(value, lane, TRIAD_HIP_WARP);
}
template <class T> static __device__ __forceinline__ T triad_hip_shfl_xor(T value, int other)
{
  return __shfl_xor(value, other, TRIAD_HIP_WARP);
}
template <class T> static __device__ __forceinline__ T triad_hip_shfl_up(T value, int step)
{
  return __shfl_up(value, (unsigned)step, TRIAD_HIP_WARP);
}
template <class T> static __device__ __forceinline__ T triad_hip_shfl_down(T value, int step)
{
  return __shfl_down(value, (unsigned)step, TRIAD_HIP_WARP);
}
static __device__ __forceinline__ unsigned triad_hip_active() { return triad_hip_half(__ballot(1)); }
static __device__ __forceinline__ int triad_hip_all(int it) { return triad_hip_half(__ballot(!it)) == 0; }

#endif
