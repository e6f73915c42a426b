/* Kernels of implicit diffusion on a GPU (cuda/staggered/diffusion.cu): conjugate gradients of one component, as
 * implicit.h has them, with the sums and conclusions of gpu_staggered.h. Launched on `stream`. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_DIFFUSION_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_DIFFUSION_H

#include "solvers/staggered/gpu/gpu_staggered.h"

#ifdef __cplusplus
extern "C" {
#endif

/* (1 - theta div grad) u = b of component a, or of the temperature; fields with halos: those of guess and d are filled.
 * held: solids are isothermal; their cells get the guess. */
enum { TRIAD_STAGGERED_GPU_DIFFUSED_HEAT = 3 };
typedef struct triad_staggered_gpu_diffusion {
  int a, held;
  triad_real theta;
  const triad_real *guess;
  triad_real *u, *r, *d, *q; /* u: b before, and then the answer; residual, direction, matrix times direction */
} triad_staggered_gpu_diffusion;

/* r = u - matrix guess, d = r, u = guess; |r|^2 and |b|^2. Then q = matrix d, d . q; u and r a step on, |r|^2; d = r
 * + beta d. */
int triad_staggered_gpu_diffusion_begin(const triad_staggered_gpu *g, const triad_staggered_gpu_diffusion *s,
                                        const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_diffusion_multiply(const triad_staggered_gpu *g, const triad_staggered_gpu_diffusion *s,
                                           const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_diffusion_step(const triad_staggered_gpu *g, const triad_staggered_gpu_diffusion *s,
                                       const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_diffusion_direction(const triad_staggered_gpu *g, const triad_staggered_gpu_diffusion *s,
                                            const triad_staggered_gpu_results *results, void *stream);

#ifdef __cplusplus
}
#endif
#endif
