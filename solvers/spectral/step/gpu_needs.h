/* Whether steps on a GPU are possible, and the memory that they need, before a flow exists. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_NEEDS_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_NEEDS_H

#include "solvers/spectral/step/gpu_stepper.h"

/* How many numbers a measurement can bring at once. Not collective. */
int64_t triad_gpu_stepper_sums(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

#endif
