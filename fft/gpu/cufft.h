/* cuFFT in C files (gpu_*.c, built with CUDA=1 only): every call is checked. */
#ifndef TRIAD_FFT_GPU_CUFFT_H
#define TRIAD_FFT_GPU_CUFFT_H

#include "base/status.h"

#include <cufft.h>

static inline int triad_cufft_check(cufftResult result, const char *call, const char *file, int line)
{
  if (result == CUFFT_SUCCESS) return TRIAD_OK;
  triad_note(file, line, 0, "%s: cuFFT error %d", call, (int)result);
  return result == CUFFT_ALLOC_FAILED ? TRIAD_ERR_MEMORY : TRIAD_ERR_FEATURE;
}
#define TRIAD_CUFFT(call) triad_cufft_check((call), #call, __FILE__, __LINE__)

#endif
