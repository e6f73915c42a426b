/* The columns of the series. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_BUDGET_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_BUDGET_H

#include "solvers/staggered/state/flow.h"

/* *n of them: those of the temperature, and then of Nusselt numbers, where the flow has them. Not collective. */
const triad_column_info *triad_staggered_columns(const triad_staggered_setup *setup, int *n);

/* As in solvers/solver.h; measure is collective. */
int triad_staggered_measure(void *flow, double *columns);
int triad_staggered_conserved_columns(const void *flow, const double *first, triad_conserved *list);

#endif
