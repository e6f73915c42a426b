/* The one pass (fft/pass.h) on a GPU, for one rank: fields and results stay in device memory.
 *
 * z-backward of the inputs into the work array; per chunk of planes: y, x backward, points, x, y forward; z-forward in
 * place. Physical values exist for one chunk at a time, or not at all where the equations have a fused x pass. */
#ifndef TRIAD_FFT_GPU_PASS_H
#define TRIAD_FFT_GPU_PASS_H

#include "fft/gpu_lines.h"
#include "grid/layout.h"
#include "parallel/device.h"

typedef struct triad_gpu_pass triad_gpu_pass;

/* One launch over the points of a chunk: in[f * stride + i], out[f * stride + i], i < n; *peak collects the largest
 * advection rate. */
typedef int triad_gpu_points(const void *law, int64_t n, int64_t stride, const triad_real *in, triad_real *out,
                             double *peak, void *stream);

/* The x pass of a chunk in one launch: planes in -> planes out, `count` of them. */
typedef int triad_gpu_rows(const void *law, const triad_gpu_shape *shape, const triad_cplx *in, triad_cplx *out,
                           int count, double *peak, void *stream);

typedef struct triad_gpu_job {
  int n_in, n_out;
  const triad_cplx *const *in; /* device fields, [j][column] */
  const void *law;             /* of the equations, plain data */
  triad_gpu_points *points;
  triad_gpu_rows *rows;        /* NULL: points between unfused x passes */
} triad_gpu_job;

#define triad_gpu_pass_create TRIAD_NAME(gpu_pass_create)
#define triad_gpu_pass_destroy TRIAD_NAME(gpu_pass_destroy)
#define triad_gpu_pass_run TRIAD_NAME(gpu_pass_run)
#define triad_gpu_pass_result TRIAD_NAME(gpu_pass_result)
#define triad_gpu_pass_shape TRIAD_NAME(gpu_pass_shape)
#define triad_gpu_pass_peak TRIAD_NAME(gpu_pass_peak)
#define triad_gpu_pass_forget TRIAD_NAME(gpu_pass_forget)

/* `layout`: one block of all columns. fused: no room for physical values is needed. TRIAD_ERR_FEATURE for a grid size
 * without kernels or truncation none; TRIAD_ERR_MEMORY. */
int triad_gpu_pass_create(triad_gpu_pass **out, triad_device *device, const triad_layout *layout, int most_in,
                          int most_out, int fused);
void triad_gpu_pass_destroy(triad_gpu_pass **pass);

/* Launch it all; the results lie in the work array until the next run. */
int triad_gpu_pass_run(triad_gpu_pass *pass, const triad_gpu_job *job);

/* Result r at (j, column): base[j * stride + r * shape->columns + column]. */
const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *pass, int64_t *stride);

const triad_gpu_shape *triad_gpu_pass_shape(const triad_gpu_pass *pass);

/* Forget the rates of earlier runs; wait, and tell the largest since then, NaN where one was NaN. */
int triad_gpu_pass_forget(triad_gpu_pass *pass);
int triad_gpu_pass_peak(triad_gpu_pass *pass, double *peak);

#endif
