/* The mean shear of a case, equations.shear (shear/shear.h). Not collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SHEAR_CASE_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SHEAR_CASE_H

#include "case/case.h"
#include "grid/grid.h"

/* The rate S of a case; 0: no shear, also if the solver has none. */
double triad_shear_of(const triad_case *given);

/* Write no slices unless the case has some; rules of the case; what is not supported together with a shear,
 * TRIAD_ERR_FEATURE with the reason. */
void triad_shear_choose(triad_case *c);
void triad_shear_rules(triad_case *c);
int triad_shear_check(const triad_case *given);

/* Set the largest skew of a grid. */
void triad_shear_grid(const triad_case *given, triad_grid *grid);

#endif
