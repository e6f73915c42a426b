/* The one pass (fft/pass.h) on a GPU, for one rank: fields and results stay in device memory.
 *
 * z-backward of the inputs into the work array; per chunk of planes: y backward, the equations' x pass, y forward;
 * z-forward in place. Chunks are so small that their planes stay in the second cache level from the y pass to the x
 * pass and back; physical values exist for one chunk at a time, or not at all where the x pass is fused. */
#ifndef TRIAD_FFT_GPU_PASS_H
#define TRIAD_FFT_GPU_PASS_H

#include "fft/gpu_lines.h"
#include "grid/layout.h"
#include "parallel/device.h"

typedef struct triad_gpu_pass triad_gpu_pass;

/* A chunk of planes as the equations' x pass sees it: planes in -> planes out, complex [field][plane][y][pitch] each.
 * Both lie in one buffer and end together, at the last of max(n_in, n_out) fields: a pass in place may write result r of
 * a row once it has read the row of every input that lies there. rows: room for an unfused pass, real
 * [field][plane][y][x]; NULL where none was asked for. kept: real [field][z][y][x], what one pass leaves to the next. */
typedef struct triad_gpu_chunk {
  const triad_gpu_shape *shape;
  int n_in, n_out, count; /* fields; planes          */
  int64_t first;          /* number of the first one */
  const triad_cplx *in;
  triad_cplx *out;
  triad_real *rows_in, *rows_out, *kept;
  int64_t kept_stride;
  double dt;
  double *peaks; /* TRIAD_GPU_PEAKS maxima over the points: the largest advection rate first */
  void *stream;
} triad_gpu_chunk;

enum { TRIAD_GPU_PEAKS = 2 };

/* The x pass of a chunk; law: of the equations, plain data. */
typedef int triad_gpu_visit(const void *law, const triad_gpu_chunk *chunk);

typedef struct triad_gpu_job {
  int n_in, n_out;
  const triad_cplx *const *in; /* device fields, [j][column] */
  triad_gpu_visit *visit;
  const void *law;
  triad_real *kept; /* NULL without */
  double dt;        /* for a law that asks for it */
} triad_gpu_job;

#define triad_gpu_pass_create TRIAD_NAME(gpu_pass_create)
#define triad_gpu_pass_destroy TRIAD_NAME(gpu_pass_destroy)
#define triad_gpu_pass_run TRIAD_NAME(gpu_pass_run)
#define triad_gpu_pass_result TRIAD_NAME(gpu_pass_result)
#define triad_gpu_pass_shape TRIAD_NAME(gpu_pass_shape)
#define triad_gpu_pass_peaks TRIAD_NAME(gpu_pass_peaks)
#define triad_gpu_pass_points TRIAD_NAME(gpu_pass_points)
#define triad_gpu_pass_forget TRIAD_NAME(gpu_pass_forget)

/* `layout`: one block of all columns. row_fields: room for so many fields of physical values, 0 where every x pass is
 * fused. TRIAD_ERR_FEATURE for a grid size without kernels or truncation none; TRIAD_ERR_MEMORY. */
int triad_gpu_pass_create(triad_gpu_pass **out, triad_device *device, const triad_layout *layout, int most_in,
                          int most_out, int row_fields);
void triad_gpu_pass_destroy(triad_gpu_pass **pass);

/* Launch it all; the results lie in the work array until the next run. */
int triad_gpu_pass_run(triad_gpu_pass *pass, const triad_gpu_job *job);

/* Result r at (j, column): base[j * stride + r * shape->columns + column]. */
const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *pass, int64_t *stride);

const triad_gpu_shape *triad_gpu_pass_shape(const triad_gpu_pass *pass);

/* Points of the whole grid. */
double triad_gpu_pass_points(const triad_gpu_pass *pass);

/* Forget the peaks of earlier runs; wait, and tell the largest since then, NaN where one was NaN. */
int triad_gpu_pass_forget(triad_gpu_pass *pass);
int triad_gpu_pass_peaks(triad_gpu_pass *pass, double peaks[TRIAD_GPU_PEAKS]);

#endif
