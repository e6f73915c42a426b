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
 *           A derivative is a transform of its own, of the modes times i k: its error is relative to itself. From
 *           derivatives of the kernel the neighbours would come times k + m N, and near 1e-12 of large scales.
 *
 * On a GPU it is done on a grid, some planes of it at a time where its memory is short.
 *
 * Everything in double. Nothing here is collective: one process has all modes, its threads share the points. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_H

#include "grid/layout.h"
#include "parallel/device.h"

typedef enum triad_at_way { TRIAD_AT_CHEAPEST, TRIAD_AT_SUMS, TRIAD_AT_GRID } triad_at_way;

/* Number of values per point: order 0: the value; order 1: also d/dx, d/dy, d/dz; order 2: also d2/dxdx, dydy, dzdz,
 * dxdy, dxdz, dydz. */
enum { TRIAD_AT_MAX = 10 };
static inline int triad_at_numbers(int order) { return order == 0 ? 1 : order == 1 ? 4 : TRIAD_AT_MAX; }

typedef struct triad_at_points triad_at_points;

typedef struct triad_at_options {
  triad_at_way way;     /* on the host */
  int threads;          /* of the host */
  triad_device *device; /* NULL: the host */
  int64_t device_bytes; /* that may be taken of its memory; 0: all that is free */
} triad_at_options;

/* Method and accumulated times [s]. */
typedef struct triad_at_about {
  int gridded; /* on a grid of n points */
  int64_t n[3];
  int pieces;    /* that the grid is made in */
  double order;  /* to bring points into an order */
  double copies; /* to a GPU and back */
  double transforms, sums;
} triad_at_about;

/* Create it for n points and derivatives up to `order`, 0 to 2. layout: one rank, one lane, no Nyquist modes; it must
 * outlive this. TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE if the GPU does not support the request. */
int triad_at_points_create(triad_at_points **out, const triad_layout *layout, int64_t n, int order,
                           const triad_at_options *options);
void triad_at_points_destroy(triad_at_points **at); /* accepts NULL */

/* The points x[n][3], anywhere: the field is periodic. x outlives its use. */
int triad_at_points_place(triad_at_points *at, const double *x);

/* Evaluate a field with modes[column][kz][2] at the points: values[number][n] for each number whose bit (1 << number)
 * is set in the second argument; the others are not written. No number may exceed the order given to create. */
int triad_at_points_run(triad_at_points *at, unsigned wanted, const double *modes, double *values);

const triad_at_about *triad_at_points_about(const triad_at_points *at);

/* About what a field takes on one core of a host, the cheaper way [s]. */
double triad_at_points_seconds(const triad_layout *layout, int64_t n, int order);

#endif
