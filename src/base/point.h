/* Pointwise arithmetic, written once and compiled for OpenMP (here) and for CUDA (cuda/points.cu). */
#ifndef TRIAD_BASE_POINT_H
#define TRIAD_BASE_POINT_H

#include "base/pi.h"
#include "base/precision.h"

#include <stdint.h>

#ifdef __CUDACC__
#define TRIAD_POINT static __host__ __device__ inline
#define TRIAD_POINT_INLINE static __host__ __device__ __forceinline__
#else
#define TRIAD_POINT static inline
/* the same for long functions: a loop that calls one is not turned into vector instructions */
#define TRIAD_POINT_INLINE static inline __attribute__((always_inline))
#endif

/* x y + z, rounded once where the processor can. */
#ifdef __CUDACC__
#define triad_fma(x, y, z) fma((x), (y), (z))
#elif defined(TRIAD_SINGLE) && defined(__FP_FAST_FMAF)
#define triad_fma(x, y, z) __builtin_fmaf((x), (y), (z))
#elif !defined(TRIAD_SINGLE) && defined(__FP_FAST_FMA)
#define triad_fma(x, y, z) __builtin_fma((x), (y), (z))
#else
#define triad_fma(x, y, z) ((x) * (y) + (z))
#endif

#endif
