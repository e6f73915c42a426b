/* The GPU part of the spectral solvers in this build. */
#include "solvers/spectral/gpu_part.h"

#ifdef TRIAD_CUDA
const triad_spectral_gpu_part *const triad_spectral_gpu = &triad_spectral_gpu_table;
#else
const triad_spectral_gpu_part *const triad_spectral_gpu = NULL;
#endif
