/* The pass (fft/pass/pass.h) with fields on the host, computed by a GPU in pieces. `nstreams` pieces are in flight,
 * each with its own GPU memory and stream, so that copies in, transforms and copies out of different pieces overlap.
 *
 *   source     per piece of columns: fields in; inputs made; z-backward; columns out to the work array
 *   per piece of planes: columns in; y, x backward, points, x, y forward (as in gpu_pass.h); columns out. On several
 *   ranks a piece is a chunk of the exchange, whose messages go from host to host and overlap with other pieces
 *   settle     as in pass.h
 *   sink       per piece of columns: columns and fields in; z-forward; the fields' update; fields out. Where the
 *              next run
 *   needs no more than this, z-backward of its inputs follows at once, and its source has nothing left to do
 *
 * On grids that are shifted factors ride with lines along z as in gpu_pass.h. With two grids all of this happens
 * twice, the results of the first going to the host in between.
 *
 * Fields, work array and messages are those of the CPU's pass, so that everything else finds the state where it
 * always is. They must be pinned (triad_device_pin), or copies neither overlap nor reach the bus's bandwidth. */
#ifndef TRIAD_FFT_GPU_GPU_OFFLOAD_H
#define TRIAD_FFT_GPU_GPU_OFFLOAD_H

#include "fft/gpu/gpu_pass.h"
#include "fft/pass/pass.h"

typedef struct triad_offload triad_offload;

/* A field on the host in the layout's storage; which way it goes. A field that goes nowhere is made on the GPU. */
enum { TRIAD_OFFLOAD_IN = 1, TRIAD_OFFLOAD_OUT = 2 };
typedef struct triad_offload_field {
  triad_cplx *host;
  int moves;
} triad_offload_field;

/* Columns first .. first + count - 1 of this rank while they are on the GPU: fields complex [j][count]; result r of the
 * pass at (j, c): result[j * stride + r * count + c], NULL on the way in. */
typedef struct triad_offload_columns {
  int64_t first, count;
  triad_cplx *const *field;
  const triad_cplx *result;
  int64_t stride;
  void *stream;
} triad_offload_columns;

/* Launches on the columns' stream; may be NULL. */
typedef int triad_offload_visit(void *self, const triad_offload_columns *at);

typedef struct triad_offload_side {
  int n_fields;
  const triad_offload_field *field;
  triad_offload_visit *visit;
} triad_offload_side;

/* Inputs of the next run, made by the sink of this one: its fields 0 .. n_fields - 1, then those from `behind` on. */
typedef struct triad_offload_next {
  int n_in, n_fields, behind; /* n_in = 0: the next run has a source */
} triad_offload_next;

typedef struct triad_offload_job {
  int n_in, n_out;
  triad_chains chains;       /* among the n_out results of the x pass */
  int ready;                 /* 1: the run before has made the inputs, and the exchange was not used since */
  triad_offload_side source; /* fields 0 .. n_in - 1 are the inputs                                        */
  triad_gpu_visit *visit;    /* the x pass                           */
  const void *law;
  int keeps, kept_moves; /* real fields kept from pass to pass, on the host [field][z][y][x] */
  triad_real *kept;
  const double *dt;    /* for a law that asks for it */
  const double *shift; /* as in fft/pass/pass.h            */
  int (*settle)(void *self, const double *peaks);
  triad_offload_side sink;
  triad_offload_next next;
  void *self;
} triad_offload_job;

/* The most that a job may ask for. */
typedef struct triad_offload_sizes {
  int n_in, n_out, n_fields, row_fields, keeps;
  int n_left; /* fields that chains leave of n_out results; 0: there are no chains */
  /* runs without a shift take the mean over two grids: n_left of n_fields are for the first one's results */
  int both;
  int nstreams; /* pieces on the GPU at once; 0 chooses         */
  int64_t room; /* GPU memory for all pieces [bytes]; 0 chooses */
} triad_offload_sizes;

/* `pass` is the CPU's, whose exchange is used. The layout has TRIAD_LANES lanes and outlives this. TRIAD_ERR_FEATURE
 * for truncation none; TRIAD_ERR_MEMORY, also where not one plane fits. Collective. */
int triad_offload_create(triad_offload **out, triad_context *context, triad_device *device, const triad_layout *layout,
                         triad_pass *pass, const triad_offload_sizes *sizes);
void triad_offload_destroy(triad_offload **offload);

/* Returns what settle returned (nothing is taken back unless it is TRIAD_OK). The host may read everything when it
 * returns. On several ranks a failure cannot be agreed on any more: it prints its error and aborts them. Collective. */
int triad_offload_run(triad_offload *offload, const triad_offload_job *job);

/* With apart = 1 one thing is done after the other and timed; seconds in each phase since the last call. */
void triad_offload_apart(triad_offload *offload, int apart);
triad_phases triad_offload_phases(triad_offload *offload);

/* Bytes copied to the GPU and back since the last call. */
void triad_offload_moved(triad_offload *offload, int64_t *in, int64_t *out);

/* How the work is cut, and the GPU memory that it takes [bytes]. Not collective. */
typedef struct triad_offload_cut {
  int nstreams;
  int64_t columns, planes; /* of a piece */
  int64_t slot, total;     /* one piece; all, with tables */
} triad_offload_cut;
int triad_offload_count(const triad_layout *layout, const triad_offload_sizes *sizes, triad_offload_cut *cut);

/* How it is cut in use. */
const triad_offload_cut *triad_offload_streams(const triad_offload *offload);

#endif
