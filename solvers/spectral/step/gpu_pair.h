/* The transform by itself, for `triad bench --reference` on one GPU: three fields, backward to physical space and forward
 * again, next to three times cuFFT's own 3-D transforms there and back. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_PAIR_H

#include "solvers/spectral/step/gpu_stepper.h"

enum { TRIAD_PAIR_FIELDS = 3 };

typedef struct triad_gpu_pair triad_gpu_pair;


/* Room for the points of three fields, and for cuFFT's. The fields are those of the flow, the first again where it has
 * fewer; they stay as they are. TRIAD_ERR_MEMORY. For one rank, whose state is on its GPU. */
int triad_gpu_pair_create(triad_gpu_pair **out, triad_gpu_stepper *stepper, const triad_grid *grid);
void triad_gpu_pair_destroy(triad_gpu_pair **pair);

/* Seconds of ours, modes to points and back to modes, and of cuFFT's, by the clock. */
int triad_gpu_pair_time(triad_gpu_pair *pair, double *ours, double *library);

/* Do the modes come back? Sums of |u|^2 and k^2 |u|^2 before and after, to round-off; else TRIAD_ERR_INTERNAL. */
int triad_gpu_pair_check(triad_gpu_pair *pair);

#endif
