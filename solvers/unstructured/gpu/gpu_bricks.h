/* The kernels of zones of bricks, which need no lists of faces (cuda/unstructured/box.cu), and of their ghost copies
 * for listed cells (cuda/unstructured/ghosts.cu). All are launched on `stream`. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_BRICKS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_BRICKS_H

#include "solvers/unstructured/gpu/gpu_unstructured.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Interface faces (seams) list[0] .. list[n - 1] of a zone of bricks, whose ghost copies (twins) have indices twin ..
 * twin + n - 1. */
typedef struct triad_unstructured_gpu_seams {
  const triad_unstructured_seam *list;
  int64_t n, twin;
} triad_unstructured_gpu_seams;

/* ---- zones of bricks, with linear fluxes: cuda/unstructured/box.cu ---- */
int triad_unstructured_gpu_box_rates(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                     triad_unstructured_gpu_found *found, void *stream);
/* first: in the first stage of a step; and antidiffusive fluxes */
int triad_unstructured_gpu_box_transported(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                           double dt, int first, triad_gas_riemann riemann, void *stream);
/* Bricks whose stages are kept in a window: of n cells from number `first` of the zone on, transported values,
 * bounds, and antidiffusive fluxes and parts of upper faces go `by` cells towards the begin, n at most. */
int triad_unstructured_gpu_box_move(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                    int64_t first, int64_t n, int64_t by, void *stream);

/* ---- what lists see of these, a thread a seam: cuda/unstructured/ghosts.cu ---- */
int triad_unstructured_gpu_twin_gradients(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                          const triad_unstructured_gpu_seams *seams, void *stream);
int triad_unstructured_gpu_twin_bounds(const triad_unstructured_view *v, const triad_unstructured_gpu_cells *cells,
                                       const triad_unstructured_gpu_seams *seams, double dt, int first,
                                       triad_gas_riemann riemann, void *stream);
int triad_unstructured_gpu_twin_values(const triad_unstructured_view *v, const triad_unstructured_gpu_seams *seams,
                                       void *stream);

#ifdef __cplusplus
}
#endif
#endif
