/* The exponential of a small complex matrix. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_EXPONENTIAL_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_EXPONENTIAL_H

#include "solvers/spectral/equations/exponential_points.h"

/* out = exp(tau A), complex [n][n] as pairs of numbers. n = 1, 2: closed forms, exact for equal eigenvalues too; else
 * scaling and squaring of a Taylor series (Moler and Van Loan 2003, SIAM Rev. 45, 3). */
void triad_exponential(int n, const double *a, double tau, double *out);

#endif
