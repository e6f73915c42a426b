/* Fields and tables of the multi-block solver in GPU memory: creation, destruction, sizes. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_FIELDS_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_FIELDS_H

#include "solvers/multiblock/gpu/gpu_internal.h"

/* gpu_fields.c */
int triad_multiblock_gpu_create(triad_multiblock_flow *flow, const char *transport);
void triad_multiblock_gpu_free(triad_multiblock_flow *flow);
int64_t triad_multiblock_gpu_bytes(const triad_multiblock_setup *setup, const triad_zones *zones, int64_t memory,
                                   int64_t faces);

/* Is the state of a stage kept: does one go on from the one before, and not from the start alone? */
int triad_multiblock_gpu_keeps_stages(const triad_multiblock_setup *setup);

#endif
