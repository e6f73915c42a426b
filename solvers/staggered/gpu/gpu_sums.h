/* Sums computed by kernels, and scalars derived from them (gpu_staggered.h). */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_SUMS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_SUMS_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_sums.c. What is known there to the host, and the other way round; where the host adds up, it knows. */
int triad_staggered_gpu_sums_make(triad_staggered_flow *flow);
void triad_staggered_gpu_sums_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_get_scalars(triad_staggered_flow *flow);
int triad_staggered_gpu_put_scalars(triad_staggered_flow *flow);

/* Sums of an earlier kernel over all ranks, and the scalars that follow from them, on each GPU; maxima from number
 * `sums` on. Nothing is done if kernels do this themselves, unless the host needs the sums too, in now.sum.
 * Collective. */
int triad_staggered_gpu_of_all(triad_staggered_flow *flow, int sums, int maxima, triad_staggered_gpu_after after);
/* of two: AFTER_STEP, then AFTER_PRECONDITION from the second */
int triad_staggered_gpu_of_step(triad_staggered_flow *flow);
int triad_staggered_gpu_sums(triad_staggered_flow *flow, int sums, int maxima, triad_staggered_gpu_after after);

#endif
