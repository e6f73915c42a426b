/* The exact solve of gpu_transform.h for slabs across z, one per rank. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_SLABS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_SLABS_H

#include "solvers/staggered/gpu/gpu_internal.h"

typedef struct triad_staggered_gpu_slabs triad_staggered_gpu_slabs;
int triad_staggered_gpu_slabs_create(triad_staggered_gpu_slabs **out, triad_staggered_flow *flow);
int triad_staggered_gpu_slabs_renew(triad_staggered_gpu_slabs *slabs, const triad_staggered_setup *setup);
void triad_staggered_gpu_slabs_destroy(triad_staggered_gpu_slabs **slabs);
int triad_staggered_gpu_slabs_solve(triad_staggered_gpu_slabs *slabs, triad_real *r, triad_real *z);
int64_t triad_staggered_gpu_slabs_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);

#endif
