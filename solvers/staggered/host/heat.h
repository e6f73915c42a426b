/* The temperature on the CPU: a stage of it, its ghosts, buoyancy, and sums over its cells. */
#ifndef TRIAD_SOLVERS_STAGGERED_HOST_HEAT_H
#define TRIAD_SOLVERS_STAGGERED_HOST_HEAT_H

#include "solvers/staggered/step/loops.h"

/* As the rows of step/loops.h of these names, of flow->heat. Collective. */
int triad_staggered_host_heat(triad_staggered_flow *flow, const triad_staggered_heat_stage *stage);
int triad_staggered_host_add_buoyancy(triad_staggered_flow *flow, double dt, int in, int out);
int triad_staggered_host_look_heat(triad_staggered_flow *flow, double results[4]);
int triad_staggered_host_sum_heat(triad_staggered_flow *flow, double *sums);

#endif
