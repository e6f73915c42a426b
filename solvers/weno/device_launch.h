/* What launches of the compressible solver share. For cuda/ only. */
#ifndef TRIAD_SOLVERS_WENO_DEVICE_LAUNCH_H
#define TRIAD_SOLVERS_WENO_DEVICE_LAUNCH_H

#include "base/status.h"

#include <cuda_runtime.h>
#include <stdint.h>

static inline int launched(const char *what)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "launch of %s: %s", what, cudaGetErrorString(error));
}

static inline unsigned blocks_for(int64_t n, int64_t each) { return (unsigned)((n + each - 1) / each); }

#endif
