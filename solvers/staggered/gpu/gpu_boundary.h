/* Kernels for boundaries and regions of the staggered solver on a GPU (cuda/staggered/boundary.cu), in addition to
 * gpu_staggered.h: outflow, changes along boundaries, means of regions, sums over planes. Launched on `stream`. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_BOUNDARY_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_BOUNDARY_H

#include "solvers/staggered/gpu/gpu_staggered.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An end of the block where fluid leaves the box along `axis`; plane: of the faces there, halos of the plane too. */
typedef struct triad_staggered_gpu_end {
  int axis, upper;
  triad_real *plane;
} triad_staggered_gpu_end;

/* As triad_staggered_outflow_carry: plane = old - dt U (now - now of the face before)/h, dt U: `way`; without old
 * the velocity of the face before. 0 before solids. */
int triad_staggered_gpu_carry(const triad_staggered_gpu *g, const triad_staggered_gpu_end *end, const triad_real *old,
                              const triad_real *now, double way, void *stream);

/* u at these faces: the plane; and, with results, what is missing: (comes_in - their first sum)/area, outwards. */
int triad_staggered_gpu_let_out(const triad_staggered_gpu *g, const triad_staggered_gpu_end *end, triad_real *u,
                                double comes_in, double area, const triad_staggered_gpu_results *results, void *stream);

/* The sum of what leaves through one or both ends before own cells of fluid. */
int triad_staggered_gpu_leaving(const triad_staggered_gpu *g, const triad_staggered_gpu_end *end, int n,
                                const triad_real *u, const triad_staggered_gpu_results *results, void *stream);

/* Of own cells before it: in scratch the velocity through the end that leaves them no divergence. And from scratch,
 * whose halos are filled, to the faces of u. */
int triad_staggered_gpu_continue(const triad_staggered_gpu *g, const triad_staggered_gpu_end *end,
                                 triad_real *const u[3], triad_real *scratch, void *stream);
int triad_staggered_gpu_take_on(const triad_staggered_gpu *g, const triad_staggered_gpu_end *end,
                                const triad_real *scratch, triad_real *u, void *stream);

/* f beyond the end of an axis: sign times f before it. */
int triad_staggered_gpu_mirror(const triad_staggered_gpu *g, int axis, int upper, double sign, triad_real *f,
                               void *stream);

/* Sums of a vector over TRIAD_STAGGERED_GPU_SUMS regions from number `first` on, of which `region` has that of each
 * cell. Then the vector without their means, of so many cells each, and 0 in solids. */
int triad_staggered_gpu_region_sums(const triad_staggered_gpu_cells *c, const int32_t *region, int64_t first,
                                    const triad_real *x, const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_region_level(const triad_staggered_gpu_cells *c, const int32_t *region, int64_t first,
                                     const double cells[TRIAD_STAGGERED_GPU_SUMS], triad_real *x,
                                     const triad_staggered_gpu_results *results, void *stream);

/* sum[i n + plane]: triad_staggered_profile over the fluid of each of the n planes of own cells across an axis, and if
 * heat is not NULL triad_staggered_profile_heat behind it. */
int triad_staggered_gpu_planes(const triad_staggered_gpu *g, int axis, triad_real *const u[3], const triad_real *p,
                               const triad_real *heat, double *sum, void *stream);

/* 1/diagonal of the pressure's matrix, of own cells: of a field with halos, or a vector. */
int triad_staggered_gpu_diagonal(const triad_staggered_gpu_cells *c, triad_real *table, void *stream);

#ifdef __cplusplus
}
#endif
#endif
