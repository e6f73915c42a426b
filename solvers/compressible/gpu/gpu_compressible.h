/* Declarations of the kernels of the compressible solver (cuda/compressible/). Fields on the GPU have the layout of
 * grid/partition.h. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_COMPRESSIBLE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_GPU_COMPRESSIBLE_H

#include "grid/box.h"
#include "solvers/compressible/points/boundary_points.h"
#include "solvers/compressible/points/budget_points.h"
#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/points/gas_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What kernels know: by value. u, primitive and rate are places on the GPU, of fields with halos. */
typedef struct triad_compressible_gpu {
  triad_compressible_gas gas;
  int64_t local[3], halo[3], stride[3], origin, volume;
  triad_real per_spacing[3];
  /* limits: upwind fluxes are limited; positivity: all are */
  int form, weights, variables, riemann, listed, limits, positivity, viscous;
  int wall[3][2]; /* triad_compressible_wall_kind of the block's faces */
  triad_real *u[5], *primitive[5], *rate[5];
} triad_compressible_gpu;

/* As internal.h has it; y and sum may be NULL throughout. */
typedef struct triad_compressible_gpu_update {
  triad_real *out[5], *x[5], *y[5], *sum[5], *from[5];
  triad_real x_part, y_part, rate_part, sum_part, dt;
  int has_y, has_sum;
} triad_compressible_gpu_update;

/* Halo points beyond a boundary, over the whole extent of the other axes. Axes in order x, y, z leave edges and corners
 * right. */
int triad_compressible_gpu_face(const triad_compressible_gpu *g, const triad_compressible_rule *rule, int upper,
                                void *stream);

/* Primitives of the points of a box; none where it is empty. */
int triad_compressible_gpu_primitives(const triad_compressible_gpu *g, const triad_box *box, void *stream);

/* worst[0] = max (|u_i| + c)/dx_i, worst[1] = max mu/rho, worst[2] > 0 where a point is no gas, worst[3] and
 * worst[4] the largest wave and sum of triad_compressible_pace; worst lies on the GPU. */
int triad_compressible_gpu_state_check(const triad_compressible_gpu *g, double *worst, void *stream);

/* Rates of the points of a box, from u and its primitives, put to use; none where it is empty. */
int triad_compressible_gpu_rates(const triad_compressible_gpu *g, const triad_compressible_gpu_update *update,
                                 const triad_box *box, void *stream);

/* Sums of the budgets' terms over each row of own points along x, in an order that depends on the row's length
 * alone, and their extremes: out[row][TRIAD_COMPRESSIBLE_SUMS + TRIAD_COMPRESSIBLE_EXTREMES], row = y + local[1] z, on
 * the GPU. Of u and its primitives, halos included. */
int triad_compressible_gpu_terms(const triad_compressible_gpu *g, const triad_compressible_differences *d, double *out,
                                 void *stream);

/* *count, on the GPU: own points whose divergence is below `bound`. */
int triad_compressible_gpu_below(const triad_compressible_gpu *g, const triad_compressible_differences *d, double bound,
                                 unsigned long long *count, void *stream);

#ifdef __cplusplus
}
#endif
#endif
