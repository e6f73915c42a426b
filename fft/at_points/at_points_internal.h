/* Inside of at_points: the two ways, the fine grid, and the kernel. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_INTERNAL_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_INTERNAL_H

#include "fft/at_points/at_point.h"
#include "fft/at_points/at_points_fine.h"
#include "fft/at_points/at_points.h"

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

/* Functions that evaluate at points on a GPU, called by at_points.c; NULL in a build without CUDA. */
typedef struct triad_gpu_at_part {
  int (*create)(triad_gpu_at_points **out, triad_at_points *at);
  void (*destroy)(triad_gpu_at_points **gpu);
  int (*place)(triad_at_points *at);
  int (*run)(triad_at_points *at, unsigned wanted, const double *modes, double *values);
} triad_gpu_at_part;
extern const triad_gpu_at_part triad_gpu_at_table;

#endif
