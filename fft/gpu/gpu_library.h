/* Lines by cuFFT, for axes whose number of points has no kernel of ours, or by choice: any number is served.
 *
 * Lines go through a buffer, complex [line][point], a batch of them at a time: a kernel of cuda/fft/library.cu fills it
 * (zeros for modes that are not kept, conjugates, two real rows to a complex line), cuFFT transforms it in place,
 * another kernel takes what is kept out of it. So every axis has the same kind of plan, whatever lies where, and the
 * buffer is small enough to stay in the GPU's cache. A batch depends on the number of points only: a line is
 * transformed by the same plan on any number of ranks. Each stream has a buffer, plans and one work area for all of
 * them. */
#ifndef TRIAD_FFT_GPU_GPU_LIBRARY_H
#define TRIAD_FFT_GPU_GPU_LIBRARY_H

#include "fft/gpu/gpu_lines.h"
#include "grid/grid.h"
#include "parallel/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Are lines along `axis` cuFFT's? Where no kernel is built in or can be compiled (fft/gpu/gpu_compiled.h), and
 * everywhere if grid->lines is TRIAD_LINES_LIBRARY, or with TRIAD_GPU_LINES=library in the environment, which is for
 * tests. */
int triad_gpu_library_serves(const triad_grid *grid, int axis);

/* Fields of physical values that a pass needs room for: as asked for, or every input and result where no x pass is
 * fused. */
int triad_gpu_library_rows(const triad_grid *grid, int n_in, int n_out, int row_fields);

/* Bytes of the device for each stream; those of cuFFT's work area are an estimate. 0 where it serves no axis. */
int64_t triad_gpu_library_bytes(const triad_grid *grid);

/* Create the plans for the axes that cuFFT serves, to which `lines` of a shape points; *out is NULL if there are none.
 * Nothing is planned before open, which plans for one more stream. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE if cuFFT fails.
 * Not collective. */
int triad_gpu_library_create(triad_gpu_library **out, triad_device *device, const triad_grid *grid,
                             triad_gpu_library *lines[3]);
void triad_gpu_library_destroy(triad_gpu_library **library);
int triad_gpu_library_open(triad_gpu_library *library, void *stream);

/* As the functions of fft/gpu/gpu_lines.h, which call them; on streams that were opened (cuda/fft/library.cu).
 * y_forward: run by run. */
int triad_gpu_library_z_backward(const triad_gpu_shape *shape, const triad_gpu_fields *fields, int n, triad_cplx *work,
                                 void *stream);
int triad_gpu_library_z_forward(const triad_gpu_shape *shape, int n, triad_cplx *work, void *stream);
int triad_gpu_library_y_backward(const triad_gpu_shape *shape, int n, const triad_gpu_side *from, int count,
                                 triad_cplx *planes, void *stream);
int triad_gpu_library_y_forward(const triad_gpu_shape *shape, const triad_chain_run *run, const triad_cplx *planes,
                                int count, double scale, const triad_gpu_side *to, void *stream);
int triad_gpu_library_x_backward(const triad_gpu_shape *shape, int n, const triad_cplx *planes, int count,
                                 triad_real *rows, void *stream);
int triad_gpu_library_x_forward(const triad_gpu_shape *shape, int n, const triad_real *rows, int count,
                                triad_cplx *planes, void *stream);

/* For cuda/fft/library.cu: lines of an axis, first .. first + count - 1 of `lines` at a time, in the buffer of a
 * stream. next: 0 after the last batch; transform: by cuFFT, in place. */
typedef struct triad_gpu_batch {
  const triad_gpu_library *library;
  int desk, axis;
  int64_t lines, first, count;
  triad_cplx *buffer;
  void *stream;
} triad_gpu_batch;
int triad_gpu_batch_begin(triad_gpu_batch *batch, const triad_gpu_library *library, int axis, int64_t lines,
                          void *stream);
int triad_gpu_batch_next(triad_gpu_batch *batch);
int triad_gpu_batch_transform(const triad_gpu_batch *batch, int backward);

#ifdef __cplusplus
}
#endif
#endif
