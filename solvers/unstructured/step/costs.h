/* Operations and memory traffic of a step, for triad bench. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_COSTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_COSTS_H

#include "solvers/unstructured/state/flow.h"

/* costs.c: operations and memory traffic of a step. Not collective. */
triad_costs triad_unstructured_costs(void *flow);

#endif
