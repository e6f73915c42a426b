/* Steps with the state on the host, which passes through a GPU stage by stage (fft/gpu_offload.h). The stepper of the
 * CPU drives them and keeps the register; budgets, spectra, forcing and files find the fields where they always are. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_OFFLOAD_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_OFFLOAD_H

#include "solvers/needs.h"
#include "solvers/spectral/step/stepper.h"

typedef struct triad_gpu_offload triad_gpu_offload;

/* Through flow->offload. q: the register, pinned here as flow->u is; NULL where the scheme is split. TRIAD_ERR_FEATURE
 * where the equations have no GPU part for the scheme; TRIAD_ERR_MEMORY. Collective. */
int triad_gpu_offload_create(triad_gpu_offload **out, triad_flow *flow, const triad_scheme *scheme,
                             triad_cplx *const *q);
void triad_gpu_offload_destroy(triad_gpu_offload **offload);

/* What a pass of a stage is told: dt and tau, which are read once settle (fft/pass.h) has returned; of a split step, dt
 * before it too. */
typedef struct triad_gpu_offload_step {
  int stage, pass;
  const double *dt, *tau;
  int (*settle)(void *self, const double *peaks);
  void *self;
} triad_gpu_offload_step;

/* A pass of a stage with all that its source and sink do to flow->u and q; all of a split step. Collective. */
int triad_gpu_offload_pass(triad_gpu_offload *offload, const triad_gpu_offload_step *step);

/* GPU memory that the rank which needs most of `size` ranks will take; and what it takes of the host besides a run on
 * the CPU. Nothing where the equations have no GPU part. Not collective. */
int triad_gpu_offload_needs(const triad_case *given, int size, triad_rank_needs *gpu, triad_rank_needs *host);

/* What `triad bench` tells. apart, phases: as triad_offload_apart. */
void triad_gpu_offload_apart(triad_gpu_offload *offload, int apart);
triad_phases triad_gpu_offload_phases(triad_gpu_offload *offload);

/* Pieces on the GPU at once, pieces of planes in a pass, bytes copied each way by this rank since the last call. */
typedef struct triad_gpu_offload_bus {
  int nstreams;
  int64_t pieces, in, out;
} triad_gpu_offload_bus;
triad_gpu_offload_bus triad_gpu_offload_traffic(triad_gpu_offload *offload);

#endif
