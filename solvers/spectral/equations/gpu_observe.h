/* Observed numbers (observe of equations.h) of a state on the GPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_OBSERVE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_OBSERVE_H

#include "solvers/spectral/equations/gpu_set.h"


int triad_gpu_observe_mhd(const void *law, const triad_gpu_state *state, double *observed);
int triad_gpu_observe_gpe(const void *law, const triad_gpu_state *state, double *observed);

/* What sums over the modes of a state work on; the results are those of its pass's last run. */
triad_gpu_measure triad_gpu_state_measure(const triad_gpu_state *state);

#endif
