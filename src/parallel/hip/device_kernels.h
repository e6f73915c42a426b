/* CUDA's words in kernels, for AMD GPUs: included by cuda_runtime.h of this folder, and before all else by kernels that
 * hiprtc compiles at run time (fft/gpu/device_compiled.h). */
#ifndef TRIAD_PARALLEL_HIP_DEVICE_KERNELS_H
#define TRIAD_PARALLEL_HIP_DEVICE_KERNELS_H

#define __CUDACC__

#define __grid_constant__
#undef __noinline__
#define __noinline__ __attribute__((noinline))

/* CUDA's second argument counts blocks of a multiprocessor, HIP's waves of a quarter of one, and the registers of both
 * differ: only the first is used. It may contain commas between angle brackets. */
template <class... Others> static constexpr __host__ __device__ unsigned triad_hip_threads(int threads, Others...)
{
  return (unsigned)threads;
}
#undef __launch_bounds__
#define __launch_bounds__(...) __attribute__((amdgpu_flat_work_group_size(1, triad_hip_threads(__VA_ARGS__))))

/* ---- warps ---- */

#include "parallel/hip/device_warp.h"

#define __shfl_sync(mask, ...) triad_hip_shfl(__VA_ARGS__)
#define __shfl_xor_sync(mask, ...) triad_hip_shfl_xor(__VA_ARGS__)
#define __shfl_up_sync(mask, ...) triad_hip_shfl_up(__VA_ARGS__)
#define __shfl_down_sync(mask, ...) triad_hip_shfl_down(__VA_ARGS__)
#define __activemask() triad_hip_active()
#define __all_sync(mask, it) triad_hip_all(it)
#define __match_any_sync(mask, value) triad_hip_match(value)
#define __reduce_add_sync(mask, value) triad_hip_add(value)

/* Lanes of a wave execute together: only the compiler must not move accesses to shared memory across. */
static __device__ __forceinline__ void __syncwarp(void)
{
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}

/* There is no barrier of some warps of a block: all threads of a block wait, and must come. */
#define TRIAD_BARRIER(number, threads) ((void)(number), (void)(threads), __syncthreads())

static __device__ __forceinline__ void __nanosleep(unsigned) { __builtin_amdgcn_s_sleep(1); }

/* ---- memory ---- */

/* A load that sees what other multiprocessors have stored: not from the cache of this one. */
template <class T> static __device__ __forceinline__ T __ldcg(const T *at)
{
  return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* A load of what is read once. */
template <class T> static __device__ __forceinline__ T __ldcs(const T *at) { return *at; }

/* There are no asynchronous copies to shared memory: a copy is done when it returns. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *to, const void *from, int bytes)
{
  typedef double two __attribute__((ext_vector_type(2)));
  if (bytes == 4) *(float *)to = *(const float *)from;
  else if (bytes == 8) *(double *)to = *(const double *)from;
  else *(two *)to = *(const two *)from;
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(int) {}

#endif
