/* Time averages of the values of cells. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_MEANS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_MEASURE_MEANS_H

#include "solvers/unstructured/state/flow.h"

int triad_unstructured_means_take(triad_unstructured_flow *flow);
int triad_unstructured_means_clear(triad_unstructured_flow *flow);
/* Add the state after a step of length dt to the averages. */
void triad_unstructured_means_add(triad_unstructured_flow *flow, double dt);

#endif
