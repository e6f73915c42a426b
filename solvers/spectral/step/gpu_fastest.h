/* The fastest transport between GPUs, by measurement. Collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_FASTEST_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_FASTEST_H

#include "solvers/spectral/step/gpu_stepper.h"

/* *word: a word for options->transport, the same on all ranks; times: "put 2.71 ms a pass, nccl not to be had", ""
 * where there is nothing to choose. Host buffers (staged) are not tried where memory of the GPU travels by itself. A
 * transport that cannot be made is left out, and times says so; TRIAD_ERR_MEMORY ends it. Collective. */
int triad_gpu_fastest(const triad_gpu_race *race, const char **word, char times[TRIAD_GPU_TIMES]);

#endif
