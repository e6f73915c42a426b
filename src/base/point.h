/* Pointwise arithmetic, written once and compiled for OpenMP (here) and for CUDA (cuda/spectral/points.cu). */
#ifndef TRIAD_BASE_POINT_H
#define TRIAD_BASE_POINT_H

#include "base/precision.h"

#include <math.h>
#include <stdint.h>

/* Constants and functions of the C library in a field's precision. */
#define TRIAD_R(x) ((triad_real)(x))
#ifdef TRIAD_SINGLE
#define TRIAD_SQRT sqrtf
#define TRIAD_POW powf
#define TRIAD_ABS fabsf
#else
#define TRIAD_SQRT sqrt
#define TRIAD_POW pow
#define TRIAD_ABS fabs
#endif

#ifdef __CUDACC__
#define TRIAD_POINT static __host__ __device__ inline
#define TRIAD_POINT_INLINE static __host__ __device__ __forceinline__
#else
#define TRIAD_POINT static inline
/* for long functions: always inlined, since a loop with a call is not vectorised */
#define TRIAD_POINT_INLINE static inline __attribute__((always_inline))
#endif

/* x y + z, rounded once if the processor has a fused multiply-add. */
#ifdef __CUDACC__
#define triad_fma(x, y, z) fma((x), (y), (z))
#elif defined(TRIAD_SINGLE) && defined(__FP_FAST_FMAF)
#define triad_fma(x, y, z) __builtin_fmaf((x), (y), (z))
#elif !defined(TRIAD_SINGLE) && defined(__FP_FAST_FMA)
#define triad_fma(x, y, z) __builtin_fma((x), (y), (z))
#else
#define triad_fma(x, y, z) ((x) * (y) + (z))
#endif

/* Maximum and minimum in a field's precision. */
#ifndef TRIAD_ONCE
TRIAD_POINT_INLINE triad_real triad_max(triad_real a, triad_real b) { return a > b ? a : b; }
TRIAD_POINT_INLINE triad_real triad_min(triad_real a, triad_real b) { return a < b ? a : b; }
#endif

#endif
