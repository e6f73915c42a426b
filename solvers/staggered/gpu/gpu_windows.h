/* Memory of this rank that kernels of its peers write, if kernels of different ranks can synchronise
 * (gpu_internal.h). Collective. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_WINDOWS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_WINDOWS_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_windows.c: allocate r and z in a window if kernels of different ranks may wait for each other; bytes: maximum,
 * in addition to these two. make and drop are collective; TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. */
int triad_staggered_gpu_windows_make(triad_staggered_flow *flow, const char *transport);
void triad_staggered_gpu_windows_drop(triad_staggered_flow *flow);
int64_t triad_staggered_gpu_windows_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);
triad_staggered_gpu_meeting triad_staggered_gpu_windows_meeting(const triad_staggered_flow *flow);
triad_staggered_gpu_others triad_staggered_gpu_windows_others(const triad_staggered_flow *flow);

/* The transport for exchanges that use messages, given the transport of the case. */
const char *triad_staggered_gpu_carrier(const char *transport);

#endif
