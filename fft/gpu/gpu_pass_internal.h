/* Internal to gpu_pass.c and gpu_pass_split.c. */
#ifndef TRIAD_FFT_GPU_GPU_PASS_INTERNAL_H
#define TRIAD_FFT_GPU_GPU_PASS_INTERNAL_H

#include "fft/gpu/gpu_pass.h"
#include "parallel/context.h"
#include "parallel/cuda.h"
#include "transpose/gpu_rows.h"

/* Where a chunk in flight is computed. */
typedef struct triad_gpu_slot {
  cudaStream_t stream;
  cudaEvent_t done;
  triad_cplx *planes; /* where ranks share planes NULL: rows are where they arrive */
  triad_real *values; /* of an unfused pass */
} triad_gpu_slot;

struct triad_gpu_pass {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  triad_gpu_shape shape; /* lines along z and y */
  triad_gpu_shape rows;  /* lines along x: the same, or of ranks that share planes all kx of this one's rows */
  triad_gpu_exchange *exchange;
  triad_gpu_library *library; /* lines that have no kernel */
  triad_gpu_chunks chunks;
  int most_left; /* fields that chains leave of results */
  int batch;     /* planes of a chunk that are computed at once */
  int alone;     /* no other rank, one chunk: the slot's stream is the device's */
  triad_gpu_tables *tables;
  triad_gpu_shifts *shifts[2]; /* of the last run, and of another: of the next one where it has begun */
  int shift;                   /* which is of the last run */
  triad_cplx *first;           /* results of the first of two grids; NULL where there are not two */
  triad_cplx *work;
  triad_gpu_slot *slots; /* [depth] */
  cudaEvent_t begun;
  double *peaks;
  struct {
    int n_in, slots; /* n_in 0: no inputs are available */
    triad_gpu_fields in;
    double shift[3];
  } ahead;
  int apart;
  triad_phases phases;
  /* where ranks share planes: those with the same lines, whose columns are exchanged; those with the same planes */
  triad_context across, within;
  triad_gpu_rows *members;
};

/* For timed runs: wait for all launched work and charge the time since *last to a phase. */
int triad_gpu_pass_lap(triad_gpu_pass *p, enum triad_phase phase, double *last);

/* The argument of the x pass for `count` planes, of which the first is this rank's plane `first`. `planes`: buffer of
 * their results. */
triad_gpu_chunk triad_gpu_pass_chunk(const triad_gpu_pass *p, const triad_gpu_job *job, const triad_gpu_slot *s,
                                     triad_cplx *planes, int64_t first, int count);

#endif
