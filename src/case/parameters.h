/* The numbers of [parameters] of a case, for solvers that compile texts of their own. */
#ifndef TRIAD_CASE_PARAMETERS_H
#define TRIAD_CASE_PARAMETERS_H

#include "case/case.h"

enum { TRIAD_CASE_MOST_PARAMETERS = 128 };

/* Names and values of the parameters whose values are known, name[TRIAD_CASE_MOST_PARAMETERS] and
 * value[TRIAD_CASE_MOST_PARAMETERS], as a scope without variables that points to them. The names live as long as the
 * case. Not collective. */
triad_formula_scope triad_case_numbers(const triad_case *c, const char **name, double *value);

#endif
