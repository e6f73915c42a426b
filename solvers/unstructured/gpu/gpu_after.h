/* Operations on cells after a step on a GPU (loops.h); no array of the mesh's size is copied to the host. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_AFTER_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_AFTER_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_after.c: memory for operations after a step, and these operations (loops.h). */
int triad_unstructured_gpu_after_take(triad_unstructured_flow *flow); /* not collective */
void triad_unstructured_gpu_after_drop(struct triad_unstructured_on_gpu *gpu);
void triad_unstructured_gpu_draw_cells(triad_unstructured_flow *flow, double dt);
void triad_unstructured_gpu_add_mean(triad_unstructured_flow *flow, double w);
int triad_unstructured_gpu_look(triad_unstructured_flow *flow, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                                double most[TRIAD_UNSTRUCTURED_MAX]);
int triad_unstructured_gpu_watch(triad_unstructured_flow *flow, const int32_t *cell, int64_t n);
int triad_unstructured_gpu_picked(triad_unstructured_flow *flow, triad_real *out);

#endif
