/* Inside of at_points: the two ways, and the kernel. */
#ifndef TRIAD_FFT_AT_POINTS_OWN_H
#define TRIAD_FFT_AT_POINTS_OWN_H

#include "fft/at_points.h"

#include <fftw3.h>

enum {
  TRIAD_KERNEL_WIDTH = 16,  /* W: grid points that a point sees along an axis            */
  TRIAD_KERNEL_TERMS = 21   /* of the polynomial that the kernel is between two of them  */
};

/* phi at the W grid points about a place, as polynomials of t = 2 f - 1, f in [0, 1) what is behind the whole number of
 * spacings: sum_m c[m][j] t^m at point j, which lies W/2 - 1 - j + f spacings before the place. */
typedef struct triad_kernel {
  double c[TRIAD_KERNEL_TERMS][TRIAD_KERNEL_WIDTH];
} triad_kernel;

void triad_kernel_make(triad_kernel *kernel);

/* What a mode k is multiplied with for a grid of n points: 1/sum_j phi(..) exp(..), without what the grid adds. */
double triad_kernel_undo(int64_t k, int64_t n);

typedef struct triad_at_grid {
  int64_t n[3], stride;  /* points; reals from row to row: W more than points, which repeat the first */
  int64_t kx_count;      /* kx that modes have                     */
  double *undo[3];       /* [K + 1] of |k|, along each axis        */
  double *grid;          /* [z][y][stride]                         */
  double *place;         /* [point][3] in spacings                 */
  int64_t *order;        /* points that are near one after another */
  fftw_plan x, y, z;
  triad_kernel kernel;
} triad_at_grid;

struct triad_at_points {
  const triad_layout *layout;
  int64_t n;
  const double *x;
  int derivatives, threads;
  triad_at_grid *grid;   /* NULL: sums */
};

int triad_at_grid_create(triad_at_grid **out, const triad_at_points *at);
void triad_at_grid_destroy(triad_at_grid **grid);
void triad_at_grid_run(const triad_at_points *at, const double *modes, double *values);

/* Points of the grid along an axis: even, of factors 2, 3, 5, 7. */
int64_t triad_at_grid_size(int64_t kmax);

/* x within [0, length): exactly, however far it lies outside. */
double triad_at_reduce(double x, double length);

#endif
