/* Tables of the zones of bricks in GPU memory: creation and destruction. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_BOXES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_BOXES_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_boxes.c: create zones of bricks and the window. Not collective. The second function: the interface faces of zone
 * z whose bricks are in layers begin to end - 1. */
int triad_unstructured_gpu_boxes_make(triad_unstructured_flow *flow);
triad_unstructured_gpu_seams triad_unstructured_gpu_seams_of(const triad_unstructured_flow *flow, int z, int begin,
                                                             int end);
void triad_unstructured_gpu_boxes_drop(struct triad_unstructured_on_gpu *gpu);

#endif
