/* Statistics along lines: 1-D spectra (spectra_1d.c), increments of points (increments.c).
 *
 * 1-D spectra along an axis a (docs/methods/statistics.md eq. 22): of a variable f, for each plane m of wavenumber 2 pi
 *   m/L_a, E_f(m) = sum over modes with |k_a| = m of w_k |f_k|^2,    sum over m = mean f^2.
 * For a vector's component along a it is the longitudinal one, E_11(k_1); for the others transverse, E_22(k_1). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_ALONG_LINES_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_ALONG_LINES_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/comm.h"
#include "parallel/context.h"
#include "solvers/spectral/flow.h"

/* What statistics along lines are taken of: each field, and the complex wave function, f = psi, as one. */
typedef struct triad_variable {
  const char *name, *unit;
  int first, n; /* its fields: one, or real and imaginary part */
  int along;    /* the axis that a vector's component has; -1 for a scalar */
} triad_variable;

/* The variables of an equation set, at most one for each field, to list[n_fields]; returns their number. Not
 * collective. */
int triad_variables(const triad_shape *shape, triad_variable *list);

/* Planes 0 .. count - 1 take in every mode; a Nyquist mode is in the last one. Not collective. */
int64_t triad_spectra_1d_planes(const triad_grid *grid, int axis);

/* values[v * planes + m] of variable v. The sums are exact, the same on any number of ranks and threads. Collective;
 * failures have been agreed on. */
int triad_spectra_1d(triad_flow *flow, int axis, double *values);

/* Physical fields distributed by y instead of z: real [z][y_local][x], for operations on whole lines along z. */

/* How many y this rank holds of such a field. */
int64_t triad_by_y_rows(const triad_layout *layout);

/* planes [z_local][y][x] -> out [z][y_local][x]. Needs no other memory: a plane of each rank is communicated at a
 * time. Collective; failures have been agreed on. */
int triad_by_y(const triad_comm *comm, const triad_layout *layout, const triad_real *planes, triad_real *out);

/* Increments of a variable over separations along an axis (docs/methods/statistics.md#statistics-along-lines):
 *   structure functions and PDFs. d(x; r) = f(x + r e_a) - f(x),   r = m dx_a;   of the wave function |psi(x + r e_a) -
 *   psi(x)| S_p(r)  = mean d^p,  and mean |d|^p                  over every point of the box
 *   P(z; r) = probability density of z = d/sqrt(S_2(r))
 * A row of points is summed in order, rows exactly: the same bits on any number of ranks and threads. */
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
 * included; scale 0 stands for z = 0. */
int triad_increments_count(triad_context *context, const triad_field_lines *f, int axis, int64_t n, const int64_t *m,
                           const double *scale, double reach, int bins, int64_t *counts);

#endif
