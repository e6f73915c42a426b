/* Steps of small flows on a GPU by CUDA graphs: creation, one step, destruction. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_RECORDED_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_RECORDED_H

#include "solvers/spectral/step/gpu_stepper_internal.h"

/* gpu_recorded.c: room for them, of a flow whose steps may be recorded. */
int triad_gpu_recorded_create(triad_gpu_stepper *s);
void triad_gpu_recorded_destroy(triad_gpu_stepper *s);

/* A step as advance_stages of gpu_stepper.c takes it, bit for bit. The first one must have been taken there: it
 * loads kernels, which nothing that is recorded may. Two launches and one wait, for the peaks: its end is not waited
 * for. */
int triad_gpu_recorded_advance(triad_gpu_stepper *s, triad_step *step, double *dt);

#endif
