/* The numbers of a series line: exact sums over modes, extremes over points, and what follows from them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_BUDGET_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_BUDGET_H

#include "solvers/spectral/flow.h"


/* columns[0 .. equations->n_columns - 1] for the state as it is. The sums are the same on any number of ranks and
 * threads (parallel/sum.h). TRIAD_ERR_BLOWUP where a value is not finite. Collective. */
int triad_budget_measure(void *flow, double *columns);

#endif
