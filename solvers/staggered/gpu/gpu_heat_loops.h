/* The loops of the temperature on a GPU. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_HEAT_LOOPS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_HEAT_LOOPS_H

#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/step/loops.h"

/* As the rows of step/loops.h of these names. */
int triad_staggered_gpu_fill_heat(triad_staggered_flow *flow, int vector);
int triad_staggered_gpu_find_heat(triad_staggered_flow *flow, const triad_staggered_heat_stage *stage);
int triad_staggered_gpu_add_buoyancy(triad_staggered_flow *flow, double dt, int in, int out);
int triad_staggered_gpu_find_heat_limits(triad_staggered_flow *flow, double results[4]);
int triad_staggered_gpu_sum_heat(triad_staggered_flow *flow, double *sums);

/* Halos of a temperature, or of a change of it, which is 0 where it is held. */
int triad_staggered_gpu_fill_heat_of(triad_staggered_flow *flow, int change, triad_real *heat);

#endif
