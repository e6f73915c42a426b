/* Declarations of the kernels of cuda/staggered/surface.cu and cuda/staggered/waves.cu: the pressure around solids by
 * the transform (surface.h). */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_SURFACE_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_SURFACE_H

#include "solvers/staggered/gpu/gpu_staggered.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of each cell that adjoins a solid: residual, charges of the direction and of the correction; value of the
 * residual's transform and A times it; the direction and A times it. */
enum {
  TRIAD_STAGGERED_REST,
  TRIAD_STAGGERED_CHARGE,
  TRIAD_STAGGERED_CORRECTION,
  TRIAD_STAGGERED_VALUE,
  TRIAD_STAGGERED_A_VALUE,
  TRIAD_STAGGERED_DIRECTION,
  TRIAD_STAGGERED_A_DIRECTION,
  TRIAD_STAGGERED_NUMBERS
};

/* Passed by value. charges: a vector that is 0 except in these cells; potential: its transform, including
 * adjoining cells that other ranks own. */
typedef struct triad_staggered_gpu_surface {
  int64_t n;
  triad_staggered_beside *cell;
  triad_real *number[TRIAD_STAGGERED_NUMBERS];
  triad_real *charges, *potential;
} triad_staggered_gpu_surface;

/* What the residual's transform leaves, |r|^2; it becomes the charges. */
int triad_staggered_gpu_surface_begin(const triad_staggered_gpu_cells *c, const triad_staggered_gpu_surface *s,
                                      const triad_staggered_gpu_results *results, void *stream);

/* Of the residual and its transform z, the potential: A z, r . z. Then the direction, d . A d. Then a step along it,
 * |r|^2, and the charges are the residual's. */
int triad_staggered_gpu_surface_look(const triad_staggered_gpu_cells *c, const triad_staggered_gpu_surface *s,
                                     const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_surface_turn(const triad_staggered_gpu_cells *c, const triad_staggered_gpu_surface *s,
                                     const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_surface_descend(const triad_staggered_gpu_cells *c, const triad_staggered_gpu_surface *s,
                                        const triad_staggered_gpu_results *results, void *stream);

/* r = r + the correction's charges. */
int triad_staggered_gpu_surface_end(const triad_staggered_gpu_cells *c, const triad_staggered_gpu_surface *s,
                                    triad_real *r, void *stream);

/* Modes [z][y][x] whose lines along z have not been transformed yet: forward along z, over their eigenvalues as
 * triad_staggered_gpu_divide, and back, in one pass through memory. twiddles: exp(-2 pi i j/n), j < n = modes->n[2],
 * on the GPU. Is there a kernel for lines of n? */
int triad_staggered_gpu_has_waves(int64_t n);
int triad_staggered_gpu_divide_waves(const triad_staggered_gpu_modes *modes, const triad_cplx *twiddles, void *stream);

#ifdef __cplusplus
}
#endif
#endif
