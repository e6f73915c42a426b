/* Kernels of the transform on a GPU: lines along z, y and x of truncated fields, for one rank that owns all planes.
 *
 * Fields and results are columns, complex [j][column] (grid/layout.h with one block); the work array is
 * [z][slot][column], slot < slots; planes are [field][plane][y][pitch], kx fastest, kx <= Kx; rows are real
 * [field][plane][y][x]. Truncation, padding with zeros and conjugate columns happen in the loads and stores of the
 * transforms, so no pass only moves data. Launches are asynchronous; TRIAD_ERR_INTERNAL when one was refused. */
#ifndef TRIAD_FFT_GPU_LINES_H
#define TRIAD_FFT_GPU_LINES_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_FIELDS = 48 };

/* The ky row of a plane's y: columns column .. column + count - 1 hold kx = first ... */
typedef struct triad_gpu_row {
  int32_t first, count;
  int64_t column;
} triad_gpu_row;

/* Plain data, passed to kernels by value; pointers are the GPU's. */
typedef struct triad_gpu_shape {
  int n[3], kx_most;        /* points; Kx                                     */
  int64_t nkz, kz_positive; /* kept kz; those >= 0                            */
  int64_t columns, pitch;   /* columns with padding; complex numbers of a row */
  int slots;
  const triad_gpu_row *rows;        /* [ny] */
  const triad_cplx *twiddle[3];     /* [n_i] exp(-2 pi i j/n_i) */
} triad_gpu_shape;

#define triad_gpu_has_size TRIAD_NAME(gpu_has_size)
#define triad_gpu_z_backward TRIAD_NAME(gpu_z_backward)
#define triad_gpu_z_forward TRIAD_NAME(gpu_z_forward)
#define triad_gpu_y_backward TRIAD_NAME(gpu_y_backward)
#define triad_gpu_y_forward TRIAD_NAME(gpu_y_forward)
#define triad_gpu_x_backward TRIAD_NAME(gpu_x_backward)
#define triad_gpu_x_forward TRIAD_NAME(gpu_x_forward)

/* Are there kernels for lines of n points? */
int triad_gpu_has_size(int64_t n);

typedef struct triad_gpu_fields {
  const triad_cplx *field[TRIAD_GPU_FIELDS];
} triad_gpu_fields;

/* fields [j][column] -> work slots 0 .. n-1 at every z; work slots, in place: all z -> results [j], z index j. */
int triad_gpu_z_backward(const triad_gpu_shape *shape, const triad_gpu_fields *fields, int n, triad_cplx *work,
                         void *stream);
int triad_gpu_z_forward(const triad_gpu_shape *shape, int n, triad_cplx *work, void *stream);

/* Work slots at planes z0 .. z0 + count - 1 <-> planes, n fields; forward scales. */
int triad_gpu_y_backward(const triad_gpu_shape *shape, int n, const triad_cplx *work, int z0, int count,
                         triad_cplx *planes, void *stream);
int triad_gpu_y_forward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int z0, int count, double scale,
                        triad_cplx *work, void *stream);

/* Planes <-> rows of points, n fields of `count` planes. */
int triad_gpu_x_backward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count, triad_real *rows,
                         void *stream);
int triad_gpu_x_forward(const triad_gpu_shape *shape, int n, const triad_real *rows, int count, triad_cplx *planes,
                        void *stream);

#ifdef __cplusplus
}
#endif
#endif
