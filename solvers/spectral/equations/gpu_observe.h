/* Memory and functions for observed quantities of a state on the GPU (observe of gpu_set.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_OBSERVE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPU_OBSERVE_H

#include "solvers/spectral/equations/gpu_set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What sums over the modes of a state work on; the results are those of its pass's last run. */
triad_gpu_measure triad_gpu_state_measure(const triad_gpu_state *state);

#ifdef __cplusplus
}
#endif
#endif
