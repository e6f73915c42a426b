/* Inside of at_points: the two ways, the fine grid, and the kernel. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_INTERNAL_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_INTERNAL_H

#include "fft/at_points/at_point.h"
#include "fft/at_points/at_points.h"

/* ---- at_points_kernel.c ---- */

void triad_kernel_make(triad_kernel *kernel);

/* The deconvolution factor of mode k on a grid of n points: 1/sum_j phi(..) exp(..), without aliases of the grid. */
double triad_kernel_undo(int64_t k, int64_t n);

/* ---- at_points_fine.c: the fine grid, and where points lie in it ---- */

enum { TRIAD_AT_TILE = 8 }; /* grid points along an axis: points of a tile follow each other */

typedef struct triad_at_fine {
  int64_t n[3];    /* points of the grid                                             */
  double *undo[3]; /* [K + 1] of |k|, along each axis                                */
  triad_kernel kernel;
  int64_t points;   /* number of points */
  int64_t *order;   /* [points] which of them is i-th, those that are near after each other, z slowest */
  double *place;    /* [points][3] of the i-th, in spacings: 0 <= place < n           */
  int64_t tiles[3]; /* of the grid */
  int64_t *end;     /* [tile] where those of a tile end                               */
  int64_t *key;     /* [points] tiles, while they are sorted                          */
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

/* ---- on a grid, by the host and by a GPU ---- */

typedef struct triad_at_grid triad_at_grid;
typedef struct triad_gpu_at_points triad_gpu_at_points;

struct triad_at_points {
  const triad_layout *layout;
  int64_t n;
  const double *x;
  int order;
  triad_at_options options;
  triad_at_about about;
  triad_at_fine *fine;      /* NULL: sums                             */
  triad_at_grid *grid;      /* the host's, at_points_grid.c           */
  triad_gpu_at_points *gpu; /* fft/at_points/gpu_at_points.c                    */
};

int triad_at_grid_create(triad_at_grid **out, const triad_at_points *at);
void triad_at_grid_destroy(triad_at_grid **grid);
void triad_at_grid_run(triad_at_points *at, unsigned wanted, const double *modes, double *values);

/* The same on a GPU, as at_points.c calls it; it has NULL for the table in a build without CUDA. */
typedef struct triad_gpu_at_part {
  int (*create)(triad_gpu_at_points **out, triad_at_points *at);
  void (*destroy)(triad_gpu_at_points **gpu);
  int (*place)(triad_at_points *at);
  int (*run)(triad_at_points *at, unsigned wanted, const double *modes, double *values);
} triad_gpu_at_part;
extern const triad_gpu_at_part triad_gpu_at_table;

#endif
