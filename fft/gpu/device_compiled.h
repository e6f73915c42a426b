/* Replacements of system headers for kernels compiled at run time (fft/gpu/gpu_compiled.h): NVRTC has only the headers
 * that it is given. System headers are empty there, and this file is included first. */
#ifndef TRIAD_FFT_GPU_DEVICE_COMPILED_H
#define TRIAD_FFT_GPU_DEVICE_COMPILED_H

#ifdef __HIP__ /* hiprtc has some of these types, of another kind and not in every version */
typedef long triad_int64;
typedef unsigned long triad_uint64;
#define int32_t int
#define uint32_t unsigned
#define int64_t triad_int64
#define uint64_t triad_uint64
#define uintptr_t triad_uint64
#else
typedef int int32_t;
typedef long int64_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
#endif

#define FLT_EPSILON 1.1920929e-07F
#define FLT_MIN 1.17549435e-38F
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308

namespace std
{
template <bool B, class T, class F> struct conditional {
  typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
  typedef F type;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
} // namespace std

#ifdef __HIP__
#include "parallel/hip/device_kernels.h"
#else
/* Asynchronous copies of 16 or 8 bytes from memory to shared memory, concurrent with arithmetic. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *to, const void *from, int bytes)
{
  if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}
static __device__ __forceinline__ void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
static __device__ __forceinline__ void __pipeline_wait_prior(int)
{
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}
#endif

#endif
