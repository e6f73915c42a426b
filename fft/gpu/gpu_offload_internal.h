/* Internal to gpu_offload*.c. */
#ifndef TRIAD_FFT_GPU_GPU_OFFLOAD_INTERNAL_H
#define TRIAD_FFT_GPU_GPU_OFFLOAD_INTERNAL_H

#include "fft/gpu/gpu_offload.h"
#include "fft/gpu/gpu_compiled.h"
#include "fft/gpu/gpu_library.h"
#include "parallel/context.h"
#include "parallel/cuda.h"

enum { TRIAD_OFFLOAD_ALIGN = 256 };

/* Where a piece is while it is on the GPU. */
typedef struct triad_offload_slot {
  cudaStream_t stream;
  cudaEvent_t done;
  char *room;
  int64_t used; /* of the room, by the piece at hand */
} triad_offload_slot;

struct triad_offload {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  triad_exchange *exchange;
  triad_gpu_tables *tables;
  triad_gpu_library *library; /* lines that have no kernel */
  triad_gpu_shape shape;      /* of all columns; slots are set by who uses it */
  triad_gpu_shifts *shifts;
  triad_cplx *first;         /* the host's room for results of the first of two grids */
  triad_offload_field *both; /* [n_fields] what goes with columns of two grids */
  triad_offload_sizes sizes;
  triad_offload_cut cut;
  int row_fields;            /* room for physical values, of so many fields */
  int64_t own, others;       /* padded columns: this rank's, all other ranks' */
  triad_offload_slot *slots; /* [nstreams] */
  triad_cplx **fields;       /* [n_fields], of the piece that is being launched */
  double *peaks;
  int64_t moved_in, moved_out;
  int apart;
  double last;
  triad_phases phases;
};

/* Fields that chains leave of results: at most; of a job. */
static inline int triad_offload_most_left(const triad_offload_sizes *s) { return s->n_left > 0 ? s->n_left : s->n_out; }
static inline int triad_offload_left(const triad_offload_job *job)
{
  return triad_chains_left(&job->chains, job->n_out);
}

/* For timed runs: wait for all launched work and charge the time since the last lap to a phase. */
int triad_offload_lap(triad_offload *p, enum triad_phase phase);

/* The next `bytes` of a slot's room. */
void *triad_offload_part(triad_offload_slot *slot, int64_t bytes);

/* Copies on the slot's stream, counted: in = 1 to the GPU, 0 back. Rows: `width` bytes each of `rows` rows of `slices`
 * slices; the distance of rows in bytes, that of slices in rows. */
typedef struct triad_offload_rows {
  void *base;
  int64_t pitch, slice;
} triad_offload_rows;
int triad_offload_copy(triad_offload *p, triad_offload_slot *slot, int in, void *gpu, void *host, int64_t bytes);
int triad_offload_copy_rows(triad_offload *p, triad_offload_slot *slot, int in, const triad_offload_rows *gpu,
                            const triad_offload_rows *host, int64_t width, int64_t rows, int64_t slices);

/* The three parts of a run; each waits for its last piece. */
int triad_offload_columns_in(triad_offload *p, const triad_offload_job *job);  /* gpu_offload_columns.c */
int triad_offload_planes(triad_offload *p, const triad_offload_job *job);      /* gpu_offload_planes.c  */
int triad_offload_columns_out(triad_offload *p, const triad_offload_job *job); /* gpu_offload_columns.c */

/* cuda/fft/offload.cu: columns in blocks of `lanes`, [block][j][lane], as the host stores them <-> [j][column]. */
int triad_gpu_from_blocks(int64_t nkz, int64_t columns, const triad_cplx *blocks, triad_cplx *field, void *stream);
int triad_gpu_to_blocks(int64_t nkz, int64_t columns, const triad_cplx *field, triad_cplx *blocks, void *stream);

#endif
