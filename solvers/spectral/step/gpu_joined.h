/* An update fused with the lines along z on both sides: whether a step supports it, and its launch. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_JOINED_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_JOINED_H

#include "solvers/spectral/step/gpu_stepper_internal.h"

/* gpu_joined.c: can stages of this flow join an update to the lines along z before it, which the last pass then
 * leaves open? Not where formulas or scalars read results in between, nor for the mean over two grids; nor in steps
 * with particles, which can come later. */
int triad_gpu_joined_can(const triad_gpu_stepper *s);

/* In place of triad_gpu_stepper_update and, where the fields are then the inputs of the next pass, on the grid of
 * this shift, of the lines along z that this begins with. */
int triad_gpu_joined_update(triad_gpu_stepper *s, const triad_gpu_update *update, int begins, const double *shift);

#endif
