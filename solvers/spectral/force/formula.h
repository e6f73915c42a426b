/* Forces given by formulas (case/formula/formula.h) of x, y, z, t and the fields, one for each forced field. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_H

#include "solvers/spectral/force/force_internal.h"

/* formula.c: data of forces by formula; collective, for a flow at rest. */
int triad_force_formula_create(triad_forcing *forcing, triad_flow *flow);
void triad_force_formula_free(triad_forcing *forcing, triad_memory *memory);

#endif
