/* Implicit diffusion on a GPU (docs/methods/staggered.md eq. 50): conjugate gradients for each component, four kernels
 * per iteration. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_IMPLICIT_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_IMPLICIT_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_implicit.c, as implicit.h has it; u's halos are left as they are. Collective. */
int triad_staggered_gpu_implicit_make(triad_staggered_flow *flow);
void triad_staggered_gpu_implicit_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_implicit_solve(triad_staggered_flow *flow, double theta, triad_real *const guess[3],
                                       triad_real *const u[3]);

/* The same for a temperature (implicit.h). */
int triad_staggered_gpu_implicit_solve_heat(triad_staggered_flow *flow, double theta, triad_real *guess,
                                            triad_real *heat);

#endif
