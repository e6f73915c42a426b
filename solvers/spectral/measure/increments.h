/* Increments of a variable over separations along an axis (docs/methods/statistics.md#statistics-along-lines), for
 * structure functions and PDFs:
 *   d(x; r) = f(x + r e_a) - f(x),   r = m dx_a;   of the wave function |psi(x + r e_a) - psi(x)|
 *   S_p(r)  = mean d^p,  and mean |d|^p                  over every point of the box
 *   P(z; r) = probability density of z = d/sqrt(S_2(r))
 * A row of points is summed in order, rows exactly: the same bits on any number of ranks and threads. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_INCREMENTS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_INCREMENTS_H

#include "grid/layout.h"
#include "parallel/context.h"

enum { TRIAD_FIRST_ORDER = 2, TRIAD_LAST_ORDER = 8, TRIAD_ORDERS = TRIAD_LAST_ORDER - TRIAD_FIRST_ORDER + 1 };

/* Separations on an axis of n points, in grid spacings: with `all` 1, 2, .. n/2; else half an octave apart,
 * round(2^(i/2)), and n/2. Returns their number, 0 for n = 1; m may be NULL. Not collective. */
int64_t triad_separations(int64_t n, int all, int64_t *m);

/* A variable at points: for each part this rank's planes [z_local][y][x], and the same distributed by y, from
 * triad_by_y. */
typedef struct triad_field_lines {
  const triad_layout *layout;
  int parts; /* 1, or 2 for a complex variable */
  const triad_real *planes[2], *turned[2];
  double *rows; /* [threads][nx] to work in */
} triad_field_lines;

/* What is known of one separation. */
typedef struct triad_increment {
  double signs[TRIAD_LAST_ORDER + 1], moduli[TRIAD_LAST_ORDER + 1]; /* [p]: mean d^p, mean |d|^p; p = 0: 1 */
  double largest;                                                   /* of |d|                              */
} triad_increment;

/* Mean of f^2 (|psi|^2) over the points. Collective; failures have been agreed on, here and below. */
int triad_increments_mean_square(triad_context *context, const triad_field_lines *f, double *mean_square);

/* Moments at n separations m[] along `axis`. unit: a power of two near the size of f, by which powers are kept in
 * range. */
int triad_increments_measure(triad_context *context, const triad_field_lines *f, int axis, int64_t n, const int64_t *m,
                             double unit, triad_increment *out);

/* counts[i * bins + b]: points whose z_i = d/scale[i] lies in bin b of `bins` equal ones from -reach to reach, the ends
 * included; where scale[i] is 0, z_i is 0. */
int triad_increments_count(triad_context *context, const triad_field_lines *f, int axis, int64_t n, const int64_t *m,
                           const double *scale, double reach, int bins, int64_t *counts);

#endif
