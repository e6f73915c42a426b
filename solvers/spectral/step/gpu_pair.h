/* Benchmark of the transform on a GPU next to cuFFT, for `triad bench --reference`. Collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H

#include "solvers/spectral/step/gpu_stepper.h"

/* gpu_pair.c: the transform alone, for `triad bench --reference` on one GPU: three fields, backward to physical space
 * and forward again, compared with three times cuFFT's 3-D transforms.
 *
 * Alternates both measurements: own_s[n], library_s[n] [s]. The fields are those of the flow, the first one repeated
 * if it has fewer; they are not changed. The modes must be recovered: sums of |u|^2 and k^2 |u|^2 to round-off, else
 * TRIAD_ERR_INTERNAL. TRIAD_ERR_MEMORY. For one rank whose state is on its GPU. */
int triad_gpu_pair(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s);

#endif
