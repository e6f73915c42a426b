/* The CUDA source of a kernel for the formulas of a force, as text for NVRTC. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_SOURCE_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_GPU_FORMULA_SOURCE_H

#include "solvers/spectral/force/gpu_formula_internal.h"

/* gpu_formula_source.c: the source of a force's formulas at points, in formula_kernel.h's words, which the kernels'
 * is to follow. The caller frees it. TRIAD_ERR_MEMORY. */
int triad_gpu_formula_source(const triad_forcing *force, unsigned reads, char **text);

#endif
