/* Linear dependence of combinations of products. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_RANK_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_RANK_H

#include "solvers/spectral/text/compile/schedule.h"

/* Coefficients x[n] with sum_o x[o] basis[o][p] = c[p] for m products; the n rows of basis are independent.
 * Returns 0 if there are none. */
int triad_text_rank_depends(int n, int m, double (*basis)[TRIAD_TEXT_PRODUCTS], const double *c, double *x);

#endif
