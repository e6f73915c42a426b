/* A row of the series: the columns of a state, and the work of a force. The sums are exact, the same on any number of
 * ranks and threads (parallel/sum.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_BUDGET_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_BUDGET_H

#include "solvers/spectral/flow.h"

/* A line of the series (docs/methods/statistics.md eq. 13): columns[0 .. equations->n_columns - 1] for the state as it
 * is. TRIAD_ERR_BLOWUP where a value is not finite. Collective. */
int triad_budget_measure(void *flow, double *columns);

/* Those of its columns that are sums over modes, without a transform; the others are of no use. Likewise. */
int triad_budget_modes(triad_flow *flow, double *columns);

/* The work of a force whose power is measured at both ends of each step (forcing.h): before a step, the power of the
 * state as it is, unless the last step has left it; after a step, add the step's work. For all other forces begin does
 * nothing. Collective. */
int triad_work_begin(triad_flow *flow);
int triad_work_count(triad_flow *flow);

#endif
