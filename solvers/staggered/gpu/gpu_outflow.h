/* Outflow boundaries on a GPU; see outflow.h. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_OUTFLOW_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_OUTFLOW_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_outflow.c, as in outflow.h; halos must be filled after `continue`. They do nothing without outflow, except
 * `continue`. Collective. */
int64_t triad_staggered_gpu_outflow_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);
int triad_staggered_gpu_outflow_make(triad_staggered_flow *flow);
void triad_staggered_gpu_outflow_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_outflow_carry(triad_staggered_flow *flow, triad_real *const *x, triad_real *const in[3],
                                      double dt);
int triad_staggered_gpu_outflow_put(triad_staggered_flow *flow, triad_real *const u[3]);
int triad_staggered_gpu_outflow_continue(triad_staggered_flow *flow, triad_real *const u[3], triad_real *scratch);

#endif
