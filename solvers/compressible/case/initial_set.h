/* Initial states of a compressible flow: a known shape, formulas of the case, or fields of a file. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_INITIAL_SET_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_INITIAL_SET_H

#include "solvers/compressible/case/initial.h"

/* Density and pressure are positive, as no other gas can take a step; other values may be 0 (or_zero), but not less:
 * TRIAD_ERR_CASE with the first place where these, which `key` gives, are not so. Not collective. */
int triad_gas_check_positive(const triad_space *space, const char *key, const triad_real *values, int or_zero);

#endif
