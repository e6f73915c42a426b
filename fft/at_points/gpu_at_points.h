/* Values at points on a GPU (fft/at_points/at_points.h): the kernels of cuda/fft/at_points.cu, which
 * fft/at_points/gpu_at_points_run.c launches. All in double precision.
 *
 * Modes go to lines along z, complex [ky][kx][n[2]], of every ky = 0 .. K, -K .. -1 and kx = 0 .. K: a kernel fills
 * them, cuFFT transforms them. Planes of the fine grid come of these, as many as there is room for: complex
 * [plane][n[1]][n[0]/2 + 1], zeros where no modes are, which cuFFT transforms in place to real [plane][y][n[0] + 2].
 * Then each warp sums the grid about one point. */
#ifndef TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_H
#define TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_H

#include "fft/at_points/at_point.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_gpu_at {
  int n[3];               /* points of the fine grid                      */
  int kx_count, ky_count; /* wavenumbers of lines: K + 1, 2 K + 1        */
  int nkz;                /* modes of a column                            */
  int64_t columns;        /* of a field: modes[column][nkz][2]            */
  /* on the device: per column; per kz; per |k| and axis */
  const int32_t *kx, *ky, *self, *kz;
  const double *wx, *wy, *wz, *undo[3];
  const triad_kernel *kernel;
} triad_gpu_at;

/* Available planes of the grid: origin .. origin + count - 1, periodic. */
typedef struct triad_gpu_at_planes {
  int origin, count;
  double *grid;
} triad_gpu_at_planes;

/* Number m of a field (fft/at_points/at_points.h) into lines that hold zeros. */
int triad_gpu_at_lines(const triad_gpu_at *a, int m, const double *modes, double *lines, void *stream);

/* Lines that have been transformed into planes. */
int triad_gpu_at_spread(const triad_gpu_at *a, const double *lines, const triad_gpu_at_planes *to, void *stream);

/* Compute values[order[i]] of the points first .. first + n - 1 at place[i][3] spacings; all their planes must be
 * available. */
int triad_gpu_at_sum(const triad_gpu_at *a, const triad_gpu_at_planes *from, int64_t first, int64_t n,
                     const double *place, const int64_t *order, double *values, void *stream);

#ifdef __cplusplus
}
#endif
#endif
