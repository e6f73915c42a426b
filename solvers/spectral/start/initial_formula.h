/* The start from formulas: a key for each field, the passive scalars in a list. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FORMULA_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FORMULA_H

#include "solvers/spectral/start/points.h"

/* initial.kind = "formula": initial.u and so on, at the points of the flow's grid. Collective. */
int triad_initial_from_formulas(triad_flow *flow, triad_log *log);

#endif
