/* The transform by itself, for `triad bench --reference` on one GPU: three fields, backward to physical space and
 * forward again, next to three times cuFFT's own 3-D transforms there and back. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H

#include "solvers/spectral/step/gpu_stepper.h"

/* Times ours and the library's by turns: own_s[n], library_s[n] [s]. The fields are those of the flow, the first
 * again where it has fewer; they stay as they are. The modes must come back: sums of |u|^2 and k^2 |u|^2 to
 * round-off, else TRIAD_ERR_INTERNAL. TRIAD_ERR_MEMORY. For one rank, whose state is on its GPU. */
int triad_gpu_pair(triad_gpu_stepper *stepper, const triad_grid *grid, int n, double *own_s, double *library_s);

#endif
