/* Initial condition from the formulas of a case, evaluated at the points of the grid. Collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FORMULA_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FORMULA_H

#include "solvers/spectral/start/points.h"

/* initial.kind = "formula": initial.u and so on, at the points of the flow's grid. Collective. */
int triad_initial_from_formulas(triad_flow *flow, triad_log *log);

#endif
