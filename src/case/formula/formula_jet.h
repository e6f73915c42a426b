/* A formula of one variable with its first and second derivative, exactly: the velocity and the acceleration of a
 * path. */
#ifndef TRIAD_CASE_FORMULA_FORMULA_JET_H
#define TRIAD_CASE_FORMULA_FORMULA_JET_H

#include "case/formula/formula.h"

/* jet[3] <- value, first and second derivative of the formula with respect to variable v, at variable[..]. Functions
 * with steps, such as sign, and comparisons have the derivative 0. Not a number where there is no derivative: noise,
 * gamma, and 0 under a root. Not collective. */
void triad_formula_jet(const triad_formula *formula, int v, const double *variable, double jet[3]);

#endif
