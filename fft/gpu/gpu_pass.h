/* The one pass (fft/pass/pass.h) on GPUs, one a rank: fields and results stay in device memory.
 *
 * z-backward of this rank's columns into the work array; per chunk of planes: exchange in, y, x backward, points, x, y
 * forward, exchange out; z-forward in place. `nstreams` chunks are in flight, each on a stream and in buffers of its
 * own, so that the exchange of one overlaps the transforms of another. Physical values exist for these chunks only, or
 * not at all where the equations' x pass is fused. On a grid that is shifted the factors of modes ride in the loads and
 * stores of lines along z (fft/pass/shift.h), and so does the mean over two grids: no pass over memory is theirs
 * alone. */
#ifndef TRIAD_FFT_GPU_GPU_PASS_H
#define TRIAD_FFT_GPU_GPU_PASS_H

#include "base/clock.h"
#include "fft/gpu/gpu_lines.h"
#include "transpose/gpu_exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_gpu_pass triad_gpu_pass;
typedef struct triad_gpu_beside triad_gpu_beside; /* fft/gpu/gpu_compiled.h */

/* A chunk of planes in the x pass of the equations: planes in -> planes out, complex [field][plane][y][pitch] each; kx
 * of a row is at shape->from[kx] and shape->to[kx] if these exist (transpose/gpu_rows.h). Both are in one buffer and
 * end together, at the last of max(n_in, n_out) fields, so a pass in place may write result r of a row once it has
 * read that row of every input stored there. rows: buffer of an unfused pass, real [field][plane][y][x]; NULL if not
 * requested. kept: real [field][z][y][x], fields saved from one pass to the next. */
typedef struct triad_gpu_chunk {
  const triad_gpu_shape *shape;
  int n_in, n_out, count; /* fields; planes          */
  int slot;               /* chunks of different slots are in flight at the same time; those of one follow each other */
  int64_t first;          /* number of the first one, of this rank's */
  const triad_cplx *in;
  triad_cplx *out;
  triad_real *rows_in, *rows_out, *kept;
  int64_t kept_stride;
  double dt;
  double *peaks; /* TRIAD_GPU_PEAKS maxima over the points: the largest advection rate first */
  void *stream;
  const triad_gpu_beside *beside; /* extra results, the last ones of n_out; NULL: none */
} triad_gpu_chunk;

enum { TRIAD_GPU_PEAKS = 2 };

/* Maximum bytes of planes and rows at once: larger batches use the GPU better, smaller ones save memory and are used
 * with phase shifts. */
enum { TRIAD_GPU_BATCH_BYTES = 1 << 30, TRIAD_GPU_WIDE_BYTES = 1 << 28 };

/* The x pass of a chunk; law: parameters of the equations, plain data. */
typedef int triad_gpu_visit(const void *law, const triad_gpu_chunk *chunk);

typedef struct triad_gpu_job {
  int n_in, n_out;
  triad_chains chains;         /* among the n_out results of the x pass */
  const triad_cplx *const *in; /* device fields, [j][column] */
  triad_gpu_visit *visit;
  const void *law;
  triad_real *kept;    /* NULL without */
  double dt;           /* for a law that asks for it */
  const double *shift; /* as in fft/pass/pass.h; NULL takes two grids where the pass was made for it */
  int open;            /* leave lines along z forward to the caller, who has triad_gpu_pass_open; on one grid */
} triad_gpu_job;

typedef struct triad_gpu_pass_options {
  int nstreams;          /* chunks in flight; 0 chooses             */
  const char *transport; /* as parallel.transport; NULL: "auto"     */
  int most_left;         /* as in fft/pass/pass.h                        */
  /* 1: allocate memory for the results of the first of two grids, half a cell apart; runs without a shift compute
   * their mean */
  int both;
} triad_gpu_pass_options;

/* The layout of a rank's columns for a GPU: one block of all, padded. group: ranks that share planes, 1: none. Not
 * collective. */
int triad_gpu_layout_create(triad_layout **out, const triad_grid *grid, int rank, int size, int group);

/* `layout` comes from triad_gpu_layout_create and must outlive the pass. row_fields: number of fields of physical
 * values to allocate, 0 if every x pass is fused. Kernels that are not built in are compiled at run time
 * (fft/gpu/gpu_compiled.h); lines without kernels use cuFFT (fft/gpu/gpu_library.h), and if those along x do, no x pass
 * is fused. TRIAD_ERR_FEATURE if the transport is not available; TRIAD_ERR_MEMORY. Collective. */
int triad_gpu_pass_create(triad_gpu_pass **out, triad_context *context, triad_device *device,
                          const triad_layout *layout, int most_in, int most_out, int row_fields,
                          const triad_gpu_pass_options *options);
void triad_gpu_pass_destroy(triad_gpu_pass **pass); /* collective */

/* Compile the kernels of an x pass that are not built in, before a job needs them; none: no length has built-in ones.
 * Not collective. */
int triad_gpu_pass_prepare(triad_gpu_pass *pass, triad_gpu_visit *visit, const void *law, int n_in, int none);

/* Launch the whole pass; results are in the work array until the next run. Ranks can no longer agree on a failure: it
 * prints its error and aborts them. Collective. */
int triad_gpu_pass_run(triad_gpu_pass *pass, const triad_gpu_job *job);

/* Behind a run of a job with `open`: the work array, in which all planes of result r lie at (z * shape->slots + r) *
 * shape->columns, and its shape, good until the next run. next: how inputs of a run on the grid of this shift are
 * turned. Lines along z of such a run's inputs, transformed backward, may be put into the work array where
 * triad_gpu_z_backward puts them: then triad_gpu_pass_begun, with that run's job, lets it begin there. Any run in
 * between, or triad_gpu_pass_stale, which whoever changes its inputs must call, makes it begin with the inputs
 * themselves. Not collective. */
typedef struct triad_gpu_open {
  const triad_gpu_shape *shape;
  triad_cplx *work;
} triad_gpu_open;
triad_gpu_open triad_gpu_pass_open(const triad_gpu_pass *pass);
int triad_gpu_pass_next(triad_gpu_pass *pass, const double *shift, triad_gpu_shift *next);
void triad_gpu_pass_begun(triad_gpu_pass *pass, const triad_gpu_job *job);
void triad_gpu_pass_stale(triad_gpu_pass *pass);

/* Returns 1 if a run of this job would begin there. */
int triad_gpu_pass_has_begun(const triad_gpu_pass *pass, const triad_gpu_job *job);

/* The grids whose mean of results is free of aliases, for a job's shift; returns their number, 1 or 2. Any pass can
 * compute them one after the other if the caller adds the results. */
int triad_gpu_pass_grids(const triad_gpu_pass *pass, const double *grid[2]);

/* With apart = 1 runs wait after each part, so that parts can be timed separately; nothing overlaps then. */
void triad_gpu_pass_apart(triad_gpu_pass *pass, int apart);

/* Seconds in each phase since the last call, for runs with apart = 1. `fft` includes the truncation, transposes and
 * products that are fused into transforms. */
triad_phases triad_gpu_pass_phases(triad_gpu_pass *pass);

/* The pass's device memory by owner, and its division into chunks. */
typedef struct triad_gpu_pass_needs {
  int64_t work, exchange, planes, library, tables, first; /* [bytes]; first: of two grids, where asked for */
  triad_gpu_chunks chunks;
  int64_t batch; /* planes of a chunk that are computed at once */
} triad_gpu_pass_needs;
triad_gpu_pass_needs triad_gpu_pass_count(const triad_layout *layout, int most_in, int most_out, int row_fields,
                                          const triad_gpu_pass_options *options);

/* The transport in use, chunks in flight and all chunks; bytes this rank sends in a run of the last job's kind. */
const char *triad_gpu_pass_transport(const triad_gpu_pass *pass);
triad_gpu_chunks triad_gpu_pass_chunks(const triad_gpu_pass *pass);
int64_t triad_gpu_pass_sent(const triad_gpu_pass *pass);

/* Maximum number of planes per visit. */
int triad_gpu_pass_batch(const triad_gpu_pass *pass);

/* Result r, after chains were summed, at (j, column): base[j * stride + r * shape->columns + column]. */
const triad_cplx *triad_gpu_pass_result(const triad_gpu_pass *pass, int64_t *stride);

/* The work array holds what a job of n_in inputs has left, n_left fields where chains are joined, whose launches
 * were recorded and replayed: its results lie as after triad_gpu_pass_run. Not collective. */
void triad_gpu_pass_holds(triad_gpu_pass *pass, int n_in, int n_left);

/* Points of the whole grid. */
double triad_gpu_pass_points(const triad_gpu_pass *pass);

/* forget: reset the peaks. peaks: wait, and return the maxima since then, NaN if one was NaN. */
int triad_gpu_pass_forget(triad_gpu_pass *pass);
int triad_gpu_pass_peaks(triad_gpu_pass *pass, double peaks[TRIAD_GPU_PEAKS]);

/* Where they are on the GPU. */
const double *triad_gpu_pass_peaks_there(const triad_gpu_pass *pass);

#ifdef __cplusplus
}
#endif
#endif
