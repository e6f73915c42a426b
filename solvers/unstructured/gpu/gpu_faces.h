/* Geometry of faces on a GPU, stored in its memory or computed by kernels. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_FACES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_FACES_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_faces.c: store the geometry of all faces, or the corners of tetrahedra, according to the case or to the memory
 * left. Collective; agreed. */
int triad_unstructured_gpu_faces_make(triad_unstructured_flow *flow);

#endif
