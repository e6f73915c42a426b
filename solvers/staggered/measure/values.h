/* Fields of files: which of them a case shows, and their values. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_VALUES_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_VALUES_H

#include "solvers/staggered/state/flow.h"

/* Choose the fields of the case; once, when the flow is created. Not collective. */
void triad_staggered_show(triad_staggered_flow *flow);

/* As in solvers/solver.h; the values of one are collective. */
void triad_staggered_values_info(const void *flow, triad_values_info *info);
int triad_staggered_values(void *flow, int number, void *out);

#endif
