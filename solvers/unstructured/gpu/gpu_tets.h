/* Corners of listed tetrahedra on a GPU, and their positions (tets.h). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_TETS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_TETS_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_tets.c: corners of listed cells and their positions. Not collective. */
int triad_unstructured_gpu_tets_make(triad_unstructured_flow *flow);

#endif
