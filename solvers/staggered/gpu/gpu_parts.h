/* Sweeps over a vector on a GPU while its halos are communicated. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_PARTS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_PARTS_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* In steps that are timed apart: wait, and add the time since to a part of the solve, as solvers/solver.h has them. */
int triad_staggered_gpu_note(triad_staggered_flow *flow, int part, double *since);

#endif
