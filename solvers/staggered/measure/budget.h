/* The numbers of a row of the series. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_BUDGET_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_BUDGET_H

#include "solvers/staggered/state/flow.h"

/* As in solvers/solver.h; measure is collective. */
int triad_staggered_measure(void *flow, double *columns);
int triad_staggered_conserved_columns(const void *flow, const double *first, triad_conserved *list);

#endif
