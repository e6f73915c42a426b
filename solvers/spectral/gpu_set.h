/* What an equation set has on a GPU: launches made by cuda/points.cu from the set's law, a header of arithmetic for one
 * point and one mode that the CPU uses too. */
#ifndef TRIAD_SOLVERS_SPECTRAL_GPU_SET_H
#define TRIAD_SOLVERS_SPECTRAL_GPU_SET_H

#include "fft/gpu_pass.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_STATE = 16 };

/* A decay rate as in equations.h, plain data. */
typedef struct triad_gpu_decay {
  double viscosity, hyperviscosity, drag, drag_wavenumber;
  int order;
} triad_gpu_decay;

/* One stage of a Runge-Kutta step over all modes (run/stepper.h): N from the results, then
 *   u <- E (u + a q + b N), q <- E (d q + e N), E = exp(-lambda tau); first: q is not read; last: not written. */
typedef struct triad_gpu_update {
  int64_t modes, columns;             /* nkz * columns; columns with padding */
  const double *wx, *wy, *wz;         /* wavenumbers per column, per column, per j */
  const int32_t *extent, *kz;         /* kept |kz| per column (-1: padding); kz per j */
  const triad_cplx *results;          /* result r at (j, column): results[j * stride + r * columns + column] */
  int64_t stride;
  triad_cplx *u[TRIAD_GPU_STATE], *q[TRIAD_GPU_STATE];
  triad_gpu_decay decay[TRIAD_GPU_STATE];
  double a, b, d, e, tau;             /* b and e times dt */
  int first, last;
} triad_gpu_update;

typedef struct triad_gpu_set {
  triad_gpu_points *points;
  triad_gpu_rows *rows; /* NULL: unfused */
  int (*update)(const void *law, const triad_gpu_update *update, void *stream);
} triad_gpu_set;

#ifdef __cplusplus
}
#endif
#endif
