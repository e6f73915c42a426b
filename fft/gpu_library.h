/* Lines by cuFFT, for axes whose number of points has no kernel of ours: any number is served.
 *
 * Lines go through a buffer, complex [line][point], a batch of them at a time: a kernel of cuda/library.cu fills it (zeros
 * for modes that are not kept, conjugates, two real rows to a complex line), cuFFT transforms it in place, another kernel
 * takes what is kept out of it. So every axis has the same kind of plan, whatever lies where, and the buffer is small
 * enough to stay in the GPU's cache. A batch depends on the number of points only: a line is transformed by the same plan
 * on any number of ranks. Each stream has a buffer, plans and one work area for all of them. */
#ifndef TRIAD_FFT_GPU_LIBRARY_H
#define TRIAD_FFT_GPU_LIBRARY_H

#include "fft/gpu_lines.h"
#include "grid/grid.h"
#include "parallel/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Are lines along `axis` cuFFT's? Where there is no kernel, and everywhere with TRIAD_GPU_LINES=library in the
 * environment, which is for tests. */
int triad_gpu_library_serves(const triad_grid *grid, int axis);

/* Bytes of the device for each stream; those of cuFFT's work area are an estimate. 0 where it serves no axis. */
int64_t triad_gpu_library_bytes(const triad_grid *grid);

/* Nothing is planned before open: plans for the axes that it serves on one more stream. TRIAD_ERR_MEMORY,
 * TRIAD_ERR_FEATURE where cuFFT refuses. Not collective. */
int triad_gpu_library_create(triad_gpu_library **out, triad_device *device, const triad_grid *grid);
void triad_gpu_library_destroy(triad_gpu_library **library);
int triad_gpu_library_open(triad_gpu_library *library, void *stream);

/* As the functions of fft/gpu_lines.h, which call them; on streams that were opened. */
int triad_gpu_library_z_backward(const triad_gpu_shape *shape, const triad_gpu_fields *fields, int n, triad_cplx *work,
                                 void *stream);
int triad_gpu_library_z_forward(const triad_gpu_shape *shape, int n, triad_cplx *work, void *stream);
int triad_gpu_library_y_backward(const triad_gpu_shape *shape, int n, const triad_gpu_side *from, int count,
                                 triad_cplx *planes, void *stream);
int triad_gpu_library_y_forward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count, double scale,
                                const triad_gpu_side *to, void *stream);
int triad_gpu_library_x_backward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count,
                                 triad_real *rows, void *stream);
int triad_gpu_library_x_forward(const triad_gpu_shape *shape, int n, const triad_real *rows, int count,
                                triad_cplx *planes, void *stream);

/* cuda/library.cu: lines first .. first + count - 1 of all, into the buffer and out of it. */
typedef struct triad_gpu_batch {
  int64_t first, count;
  triad_cplx *buffer;
  void *stream;
} triad_gpu_batch;

/* z: line f * columns + column; `n` fields, all z of a column in the work array -> results in the places of j. */
int triad_gpu_z_load(const triad_gpu_shape *shape, const triad_gpu_fields *fields, const triad_gpu_batch *batch);
int triad_gpu_z_store(const triad_gpu_shape *shape, int n, triad_cplx *work, const triad_gpu_batch *batch);
int triad_gpu_z_load_work(const triad_gpu_shape *shape, const triad_cplx *work, const triad_gpu_batch *batch);
int triad_gpu_z_store_results(const triad_gpu_shape *shape, triad_cplx *work, const triad_gpu_batch *batch);

/* y: line (f * planes + plane) * (Kx + 1) + kx. */
int triad_gpu_y_load_columns(const triad_gpu_shape *shape, const triad_gpu_side *from, int planes,
                             const triad_gpu_batch *batch);
int triad_gpu_y_store_planes(const triad_gpu_shape *shape, triad_cplx *planes, const triad_gpu_batch *batch);
int triad_gpu_y_load_planes(const triad_gpu_shape *shape, const triad_cplx *planes, const triad_gpu_batch *batch);
int triad_gpu_y_store_columns(const triad_gpu_shape *shape, const triad_gpu_side *to, int planes, double scale,
                              const triad_gpu_batch *batch);

/* x: line f * pairs + pair, a pair being rows 2 pair and 2 pair + 1 of the `rows` of a field. */
int triad_gpu_x_load_planes(const triad_gpu_shape *shape, const triad_cplx *planes, int64_t rows,
                            const triad_gpu_batch *batch);
int triad_gpu_x_store_rows(const triad_gpu_shape *shape, triad_real *points, int64_t rows,
                           const triad_gpu_batch *batch);
int triad_gpu_x_load_rows(const triad_gpu_shape *shape, const triad_real *points, int64_t rows,
                          const triad_gpu_batch *batch);
int triad_gpu_x_store_planes(const triad_gpu_shape *shape, triad_cplx *planes, int64_t rows,
                             const triad_gpu_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
