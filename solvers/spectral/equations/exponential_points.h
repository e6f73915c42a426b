/* The exponential of a small complex matrix (step/exponential.h), for CPU and GPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_EXPONENTIAL_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_EXPONENTIAL_POINTS_H

#include "solvers/spectral/equations/complex_points.h"

enum { TRIAD_EXPONENTIAL = 8 /* rows, at most */, TRIAD_EXPONENTIAL_ELEMENTS = TRIAD_EXPONENTIAL * TRIAD_EXPONENTIAL };

/* exp(A) = e^s (cosh d + (sinh d)/d (A - s)), s half the trace, d^2 = s^2 - det A. */
TRIAD_POINT void triad_exponential_of_two(const triad_value *a, triad_value *e)
{
  const triad_value s = triad_value_scale(0.5, triad_value_add(a[0], a[3]));
  const triad_value p = triad_value_scale(0.5, triad_value_less(a[0], a[3]));
  const triad_value d2 = triad_value_add(triad_value_times(p, p), triad_value_times(a[1], a[2]));
  const triad_value d = triad_value_sqrt(d2);
  /* e^s goes into both: cosh alone could overflow */
  const triad_value up = triad_value_exp(triad_value_add(s, d)), down = triad_value_exp(triad_value_less(s, d));
  const triad_value cosine = triad_value_scale(0.5, triad_value_add(up, down));
  triad_value sine;
  if (triad_value_size(d2) < 1e-4) {
    triad_value ratio = triad_value_of(1 + d2.re / 42, d2.im / 42);
    ratio = triad_value_times(triad_value_scale(1.0 / 20, d2), ratio);
    ratio.re += 1;
    ratio = triad_value_times(triad_value_scale(1.0 / 6, d2), ratio);
    ratio.re += 1;
    sine = triad_value_times(triad_value_exp(s), ratio);
  } else sine = triad_value_times(triad_value_less(up, down), triad_value_inverse(triad_value_scale(2, d)));
  const triad_value along = triad_value_times(sine, p);
  e[0] = triad_value_add(cosine, along);
  e[1] = triad_value_times(sine, a[1]);
  e[2] = triad_value_times(sine, a[2]);
  e[3] = triad_value_less(cosine, along);
}

/* c = a b */
TRIAD_POINT void triad_exponential_multiply(int n, const triad_value *a, const triad_value *b, triad_value *c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double re = 0, im = 0;
      for (int k = 0; k < n; k++) {
        const triad_value x = a[i * n + k], y = b[k * n + j];
        re += x.re * y.re - x.im * y.im;
        im += x.re * y.im + x.im * y.re;
      }
      c[i * n + j] = triad_value_of(re, im);
    }
}

/* e = sum A^j / j! up to j = 15, by six products (Paterson and Stockmeyer 1973, SIAM J. Comput. 2, 60): with a norm of
 * at most 1/2 the rest is below 1e-18. */
TRIAD_POINT void triad_exponential_series(int n, const triad_value *a, triad_value *e)
{
  triad_value power[4][TRIAD_EXPONENTIAL_ELEMENTS], next[TRIAD_EXPONENTIAL_ELEMENTS];
  double factor[16];
  factor[0] = 1;
  for (int j = 1; j < 16; j++) factor[j] = factor[j - 1] / j;
  for (int i = 0; i < n * n; i++) power[0][i] = a[i];
  for (int j = 1; j < 4; j++) triad_exponential_multiply(n, power[j - 1], a, power[j]);
  for (int group = 3; group >= 0; group--) {
    const double *f = factor + 4 * group;
    if (group < 3) triad_exponential_multiply(n, e, power[3], next);
    for (int i = 0; i < n * n; i++) {
      triad_value sum = triad_value_add(triad_value_scale(f[1], power[0][i]), triad_value_scale(f[2], power[1][i]));
      sum = triad_value_add(sum, triad_value_scale(f[3], power[2][i]));
      if (group < 3) sum = triad_value_add(next[i], sum);
      if (i % (n + 1) == 0) sum.re += f[0];
      e[i] = sum;
    }
  }
}

/* a is overwritten. The slowest decay of the diagonal and its mean frequency are taken out first: nothing overflows
 * if another field decays much faster. */
TRIAD_POINT void triad_exponential_of_many(int n, triad_value *a, triad_value *e)
{
  triad_value next[TRIAD_EXPONENTIAL_ELEMENTS], shift = triad_value_of(a[0].re, 0);
  double norm = 0, scale = 1;
  int squarings = 0;
  for (int i = 1; i < n; i++) shift.re = fmax(shift.re, a[i * n + i].re);
  for (int i = 0; i < n; i++) shift.im += a[i * n + i].im / n;
  for (int i = 0; i < n; i++) a[i * n + i] = triad_value_less(a[i * n + i], shift);
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++) row += fabs(a[i * n + j].re) + fabs(a[i * n + j].im);
    norm = fmax(norm, row);
  }
  if (norm > 0.5) squarings = (int)fmin(ceil(log2(norm / 0.5)), 60);
  for (int s = 0; s < squarings; s++) scale *= 0.5;
  for (int i = 0; i < n * n; i++) a[i] = triad_value_scale(scale, a[i]);
  triad_exponential_series(n, a, e);
  for (int s = 0; s < squarings; s++) {
    triad_exponential_multiply(n, e, e, next);
    for (int i = 0; i < n * n; i++) e[i] = next[i];
  }
  const triad_value factor = triad_value_exp(shift);
  for (int i = 0; i < n * n; i++) e[i] = triad_value_times(e[i], factor);
}

/* e = exp(tau A), [n][n]; a is overwritten. */
TRIAD_POINT void triad_exponential_of(int n, double tau, triad_value *a, triad_value *e)
{
  for (int i = 0; i < n * n; i++) a[i] = triad_value_scale(tau, a[i]);
  if (n == 1) e[0] = triad_value_exp(a[0]);
  else if (n == 2) triad_exponential_of_two(a, e);
  else triad_exponential_of_many(n, a, e);
}

#endif
