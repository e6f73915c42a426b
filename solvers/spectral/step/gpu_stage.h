/* Memory for modes on a GPU, and the arguments of a stage's update. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STAGE_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STAGE_H

#include "solvers/spectral/step/gpu_stepper.h"

/* Tables of all of a rank's modes, with its columns side by side; the GPU memory they take. Not collective. */
int triad_gpu_modes_alloc(triad_gpu_modes *modes, triad_device *device, const triad_layout *layout);
void triad_gpu_modes_free(triad_gpu_modes *modes, triad_device *device);
int64_t triad_gpu_modes_bytes(const triad_layout *layout);

/* Columns first .. first + count - 1 of them, whose fields are [j][count]. */
triad_gpu_modes triad_gpu_modes_part(const triad_gpu_modes *modes, int64_t first, int64_t count);

/* A stage of a step: everything but modes, fields and results. dt: of the step; tau: to the next stage. */
triad_gpu_update triad_gpu_stage_update(const triad_flow *flow, const triad_scheme *scheme, int stage, double dt,
                                        double tau);

#endif
