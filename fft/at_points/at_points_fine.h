/* The fine grid, and the positions of points in it. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_FINE_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_FINE_H

#include "fft/at_points/at_point.h"
#include "grid/layout.h"

enum { TRIAD_AT_TILE = 8 }; /* grid points along an axis: points of a tile follow each other */

typedef struct triad_at_fine {
  int64_t n[3];    /* points of the grid */
  double *undo[3]; /* [K + 1] of |k|, along each axis */
  triad_kernel kernel;
  int64_t points;   /* number of points */
  int64_t *order;   /* [points] the number of the i-th point; neighbours follow each other, z slowest */
  double *place;    /* [points][3] of the i-th point, in spacings: 0 <= place < n */
  int64_t tiles[3]; /* of the grid */
  int64_t *end;     /* [tile] where the points of a tile end */
  int64_t *key;     /* [points] tiles, while they are sorted */
} triad_at_fine;

int triad_at_fine_create(triad_at_fine **out, const triad_layout *layout, int64_t points);
void triad_at_fine_destroy(triad_at_fine **fine);
void triad_at_fine_place(triad_at_fine *fine, const triad_layout *layout, const double *x, int threads);

/* Where the points of tiles below number `tile` along z end in the order. */
int64_t triad_at_fine_before(const triad_at_fine *fine, int64_t tile);

/* Points of the grid along an axis: even, of factors 2, 3, 5, 7. */
int64_t triad_at_grid_size(int64_t kmax);

/* x within [0, length): exactly, however far it lies outside. */
double triad_at_reduce(double x, double length);

#endif
