/* Declarations of the kernels of cuda/staggered/measure.cu, for the columns of the series. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_MEASURE_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_MEASURE_H

#include "solvers/staggered/points/budget_points.h"
#include "solvers/staggered/points/forces_points.h"
#include "solvers/staggered/gpu/gpu_staggered.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a velocity and a pressure whose halos are filled; launched on `stream`. The numbers of budget_points.h, the
 * last a maximum; drag along each axis; what the walls across axis b get, [upper][2]. sight: its mesh is g's. */
int triad_staggered_gpu_budget(const triad_staggered_gpu *g, triad_real *const u[3],
                               const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_drag(const triad_staggered_gpu *g, const triad_staggered_sight *sight, triad_real *const u[3],
                             const triad_real *p, const triad_staggered_gpu_results *results, void *stream);
int triad_staggered_gpu_walls(const triad_staggered_gpu *g, const triad_staggered_sight *sight, int b,
                              triad_real *const u[3], const triad_staggered_gpu_results *results, void *stream);

#ifdef __cplusplus
}
#endif
#endif
