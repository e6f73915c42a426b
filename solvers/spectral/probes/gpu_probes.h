/* Sums over the modes of a state on a GPU at probe points (probes.h): one number per point and input is copied to the
 * host, and no field. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PROBES_GPU_PROBES_H
#define TRIAD_SOLVERS_SPECTRAL_PROBES_GPU_PROBES_H

#include "solvers/spectral/equations/gpu_set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Positions of probes and the waves at them; arrays are in host memory when they are set, in GPU memory in kernels.
 * Positions with the same z are adjacent. */
typedef struct triad_gpu_probe_places {
  int64_t n, n_x, n_y, n_z; /* places; values of x, y and z, of each lattice */
  int64_t kx, ky, kz;       /* the highest wavenumber of each axis */
  const double *x, *y;      /* cos, then sin, of kx x: [n_x][2][kx + 1]; of ky y: [n_y][2][2 ky + 1], from -ky on */
  const double *z;          /* cos and sin of kz z: [n_z][kz + 1][2] */
  const int32_t *row;       /* [n][2] which of the values of x, and of y */
  const int32_t *begin;     /* [n_z + 1] places of each value of z */
} triad_gpu_probe_places;

/* sum[place] = sum over modes of weight Re(u exp(i k.x)), times i k along an axis first where along >= 0, in a fixed
 * order; on the GPU, launched on `stream`. partial: room for n triad_gpu_probe_blocks. kx, ky: wavenumbers of
 * columns. */
int64_t triad_gpu_probe_blocks(const triad_gpu_modes *modes);
int triad_gpu_probe_sum(const triad_gpu_modes *modes, const int32_t *kx, const int32_t *ky,
                        const triad_gpu_probe_places *places, const triad_cplx *u, int along, double *partial,
                        double *sum, void *stream);

#ifdef __cplusplus
}
#endif
#endif
