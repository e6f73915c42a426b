/* Pointwise arithmetic, written once and compiled for OpenMP (here) and for CUDA (cuda/points.cu). */
#ifndef TRIAD_BASE_POINT_H
#define TRIAD_BASE_POINT_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __CUDACC__
#define TRIAD_POINT static __host__ __device__ inline
#else
#define TRIAD_POINT static inline
#endif

#endif
