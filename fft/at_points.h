/* A field at any points from its modes: u(x) = sum_k u(k) exp(i k.x), and its derivatives, exact to rounding. Two ways:
 *
 * sums      each point by itself: along kz for each column, then over columns. Its error is that of rounding alone.
 * a grid    a non-uniform transform: modes divided by the transform of a Kaiser-Bessel kernel
 *           phi(d) = I0(beta sqrt(1 - (2 d/W)^2)) / I0(beta), |d| <= W/2 spacings, are transformed to a grid at least
 *           twice as fine as the modes need, N >= 2 (2 K + 1) points; each point is a sum of W^3 = 16^3 values of it,
 *           times the kernel. Of the mode k along an axis the neighbours k + m N remain, each as
 *           phihat(pi W (k + m N)/N) / phihat(pi W k/N), where with r = sqrt(beta^2 - s^2)
 *           phihat(s) = 2 sinh(r)/r/I0(beta). beta = 0.98 * 3/4 pi W puts all of them where r is imaginary and phihat
 *           no longer falls by e^r: at most 1e-14 of the mode's own amplitude.
 *           A derivative is a transform of its own, of the modes times i k: its error is relative to itself.
 *
 * Everything in double. Nothing here is collective: one process has all modes, its threads share the points. */
#ifndef TRIAD_FFT_AT_POINTS_H
#define TRIAD_FFT_AT_POINTS_H

#include "grid/layout.h"

typedef enum triad_at_way { TRIAD_AT_CHEAPEST, TRIAD_AT_SUMS, TRIAD_AT_GRID } triad_at_way;

/* Numbers that a point has: its value; with order 1 besides d/dx, d/dy, d/dz; with order 2 besides d2/dxdx, dydy, dzdz,
 * dxdy, dxdz, dydz. */
enum { TRIAD_AT_MOST = 10 };
static inline int triad_at_numbers(int order) { return order == 0 ? 1 : order == 1 ? 4 : TRIAD_AT_MOST; }

typedef struct triad_at_points triad_at_points;

/* n points x[n][3], anywhere: the field is periodic. layout: of one rank and one lane, without modes of Nyquist; it and
 * x outlive this. order: the highest derivative, 0 to 2. TRIAD_ERR_MEMORY. */
int triad_at_points_create(triad_at_points **out, const triad_layout *layout, int64_t n, const double *x, int order,
                           triad_at_way way, int threads);
void triad_at_points_destroy(triad_at_points **at); /* accepts NULL */

/* values[n][triad_at_numbers(order)] of the field of modes[column][kz][2]. */
void triad_at_points_run(triad_at_points *at, const double *modes, double *values);

/* Is it done on a grid? */
int triad_at_points_gridded(const triad_at_points *at);

#endif
