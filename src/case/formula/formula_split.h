/* A formula as a sum of products of a function of position, a function of time, and a field: sin(x - 2*t) is
 * sin(x) cos(2*t) - cos(x) sin(2*t). */
#ifndef TRIAD_CASE_FORMULA_FORMULA_SPLIT_H
#define TRIAD_CASE_FORMULA_FORMULA_SPLIT_H

#include "case/formula/formula.h"

/* *n terms, which triad_formula_terms_free frees; 0 where f is no such sum, or one of too many. TRIAD_ERR_MEMORY. */
int triad_formula_split(const triad_formula *formula, triad_formula_term terms[TRIAD_FORMULA_TERMS], int *n);
void triad_formula_terms_free(triad_formula_term *terms, int n);

/* Are these programs the same, step by step? */
int triad_formula_is_same(const triad_formula *a, const triad_formula *b);

#endif
