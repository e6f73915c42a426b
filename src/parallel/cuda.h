/* The CUDA runtime in C files (gpu_*.c, built with CUDA=1 only): every call is checked and fails with
 * CUDA's own text. */
#ifndef TRIAD_PARALLEL_CUDA_H
#define TRIAD_PARALLEL_CUDA_H

#include "base/status.h"

#include <cuda_runtime.h>

static inline int triad_cuda_check(cudaError_t error, const char *call, const char *file, int line)
{
  if (error == cudaSuccess) return TRIAD_OK;
  triad_note(file, line, 0, "%s: %s", call, cudaGetErrorString(error));
  return TRIAD_ERR_INTERNAL;
}
#define TRIAD_CU(call) triad_cuda_check((call), #call, __FILE__, __LINE__)

#endif
