/* Formulas that are evaluated at the points of every stage. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_POINTS_H

#include "solvers/spectral/force/force_internal.h"

/* take: find what rows have in common in the formulas (triad_force_rows). at: compute that for the time of a stage. */
int triad_force_points_take(triad_forcing *forcing, const triad_flow *flow);
void triad_force_points_at(triad_forcing *forcing, const triad_flow *flow);

/* How many parts of x and t alone, and of y, z and t alone, the formulas before f have. */
void triad_force_points_parts(const triad_forcing *forcing, int f, int *of_x, int *of_row);

/* The power that they put in. Collective. */
int triad_force_points_power(triad_forcing *forcing, const triad_flow *flow, double *power);

#endif
