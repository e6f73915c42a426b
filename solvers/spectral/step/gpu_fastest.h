/* Which transport carries the exchange between these ranks' GPUs fastest, found by timing passes of the flow itself: what a
 * message costs alone says little, since some transports take multiprocessors from the transforms and others do not. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_FASTEST_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_FASTEST_H

#include "fft/gpu_pass.h"

enum { TRIAD_GPU_TIMES = 160 };

/* The pass to time, and what triad_gpu_pass_create wants. */
typedef struct triad_gpu_race {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  int most_in, most_out, row_fields, nstreams;
  const triad_gpu_job *job; /* run again and again; its results are thrown away */
} triad_gpu_race;

/* *word: a word for options->transport, the same on all ranks; times: "put 2.71 ms a pass, nccl not to be had", "" where
 * there is nothing to choose. Host buffers (staged) are not tried where memory of the GPU travels by itself. A transport that
 * cannot be made is left out, and times says so; TRIAD_ERR_MEMORY ends it. Collective. */
int triad_gpu_fastest(const triad_gpu_race *race, const char **word, char times[TRIAD_GPU_TIMES]);

#endif
