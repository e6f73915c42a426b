/* The inverse of a small matrix of a mode, and the projection of solenoidal vectors. For CPU and GPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_MATRIX_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_MATRIX_POINTS_H

#include "solvers/spectral/equations/complex_points.h"

enum { TRIAD_TEXT_LAW_MATRIX = 8 /* rows, at most */ };

/* Divide rows, then columns, by their largest elements, so that operators of different orders can be compared. */
TRIAD_POINT int triad_text_equilibrate(int n, triad_value *a, double *row, double *column)
{
  for (int i = 0; i < n; i++) {
    row[i] = 0;
    for (int j = 0; j < n; j++) row[i] = fmax(row[i], triad_value_size(a[i * n + j]));
    if (!(row[i] > 0)) return 0;
    for (int j = 0; j < n; j++) a[i * n + j] = triad_value_scale(1 / row[i], a[i * n + j]);
  }
  for (int j = 0; j < n; j++) {
    column[j] = 0;
    for (int i = 0; i < n; i++) column[j] = fmax(column[j], triad_value_size(a[i * n + j]));
    if (!(column[j] > 0)) return 0;
    for (int i = 0; i < n; i++) a[i * n + j] = triad_value_scale(1 / column[j], a[i * n + j]);
  }
  return 1;
}

TRIAD_POINT void triad_text_swap_rows(int n, triad_value *a, int one, int other)
{
  for (int j = 0; j < n; j++) {
    const triad_value was = a[one * n + j];
    a[one * n + j] = a[other * n + j];
    a[other * n + j] = was;
  }
}

/* The n x n matrix a becomes its inverse. Returns 0 if it is singular to rounding; the inverse is 0 then. */
TRIAD_POINT int triad_text_invert(int n, triad_value *a)
{
  triad_value b[TRIAD_TEXT_LAW_MATRIX * TRIAD_TEXT_LAW_MATRIX];
  double row[TRIAD_TEXT_LAW_MATRIX], column[TRIAD_TEXT_LAW_MATRIX];
  int good = triad_text_equilibrate(n, a, row, column);
  for (int i = 0; i < n * n; i++) b[i] = triad_value_of(i % (n + 1) == 0, 0);
  for (int c = 0; c < n && good; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (triad_value_size(a[r * n + c]) > triad_value_size(a[best * n + c])) best = r;
    good = triad_value_size(a[best * n + c]) > 1e-12;
    if (!good) break;
    triad_text_swap_rows(n, a, c, best);
    triad_text_swap_rows(n, b, c, best);
    const triad_value pivot = triad_value_inverse(a[c * n + c]);
    for (int j = 0; j < n; j++) {
      a[c * n + j] = triad_value_times(a[c * n + j], pivot);
      b[c * n + j] = triad_value_times(b[c * n + j], pivot);
    }
    for (int r = 0; r < n; r++) {
      const triad_value f = a[r * n + c];
      for (int j = 0; j < n && r != c; j++) {
        a[r * n + j] = triad_value_less(a[r * n + j], triad_value_times(f, a[c * n + j]));
        b[r * n + j] = triad_value_less(b[r * n + j], triad_value_times(f, b[c * n + j]));
      }
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = good ? triad_value_scale(1 / (column[i] * row[j]), b[i * n + j]) : triad_value_of(0, 0);
  return good;
}

/* s -= k (k.s)/k^2 of a solenoidal vector; 0 for its mean. */
TRIAD_POINT void triad_text_project_values(const double k[3], triad_value s[3])
{
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  if (!(k2 > 0)) {
    for (int i = 0; i < 3; i++) s[i] = triad_value_of(0, 0);
    return;
  }
  const double re = (k[0] * s[0].re + k[1] * s[1].re + k[2] * s[2].re) / k2;
  const double im = (k[0] * s[0].im + k[1] * s[1].im + k[2] * s[2].im) / k2;
  for (int i = 0; i < 3; i++) s[i] = triad_value_of(s[i].re - k[i] * re, s[i].im - k[i] * im);
}

#endif
