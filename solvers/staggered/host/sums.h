/* Sums over the state's cells on the CPU: its mean and fastest velocity, flow rates, budgets, forces. */
#ifndef TRIAD_SOLVERS_STAGGERED_HOST_SUMS_H
#define TRIAD_SOLVERS_STAGGERED_HOST_SUMS_H

#include "solvers/staggered/state/flow.h"

/* As the rows of step/loops.h of these names. Collective. */
int triad_staggered_host_look(triad_staggered_flow *flow, double results[4]);
int triad_staggered_host_sum_flow_rate(triad_staggered_flow *flow, int vector, double sums[6]);
int triad_staggered_host_push(triad_staggered_flow *flow, int vector, const double add[3]);
int triad_staggered_host_sum_budget(triad_staggered_flow *flow, double *budget, double *forces);

#endif
