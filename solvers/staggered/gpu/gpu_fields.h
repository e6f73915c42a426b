/* Fields and tables of the staggered solver in GPU memory: creation, destruction, sizes. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_FIELDS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_FIELDS_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_fields.c: as rows of step/loops.h. */
int triad_staggered_gpu_make(triad_staggered_flow *flow, const char *run_dir);
void triad_staggered_gpu_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_renew(triad_staggered_flow *flow);
int triad_staggered_gpu_resize(triad_staggered_flow *flow, const double before[3]);
int triad_staggered_gpu_sum_planes(triad_staggered_flow *flow, int axis, const double **planes);
int64_t triad_staggered_gpu_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);

/* The halo of one field at cells. Collective; where it fails on several ranks it ends them all. */
void triad_staggered_gpu_fill_cells(const triad_staggered_flow *flow, triad_real *p);

#endif
