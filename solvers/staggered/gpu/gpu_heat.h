/* Kernels of the temperature on a GPU (cuda/staggered/heat.cu), and the loops of step/loops.h that launch them
 * (gpu_heat.c). Kernels are launched on `stream`. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_HEAT_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_HEAT_H

#include "solvers/staggered/gpu/gpu_staggered.h"
#include "solvers/staggered/points/heat_points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stage: out = x_part x + rate (-(u . grad) in + diffusivity lap diffused + source - gradient . u) in fluid. held:
 * solids are isothermal. */
typedef struct triad_staggered_gpu_heat_update {
  const triad_real *u[3], *in, *diffused, *x;
  triad_real *out;
  triad_real x_part, rate, diffusivity, source, gradient[3];
  int held;
} triad_staggered_gpu_heat_update;
int triad_staggered_gpu_heat(const triad_staggered_gpu *g, const triad_staggered_gpu_heat_update *update, void *stream);

/* u = u + factor (T - reference) at open faces, T the mean of a face's two cells. */
int triad_staggered_gpu_buoyancy(const triad_staggered_gpu *g, const triad_real *heat, double reference,
                                 const double factor[3], triad_real *const u[3], void *stream);

/* f beyond the end of an axis: sign times f before it, plus more. */
int triad_staggered_gpu_heat_end(const triad_staggered_gpu *g, int axis, int upper, double sign, double more,
                                 triad_real *f, void *stream);

/* Two sums and two maxima: the power of buoyancy and theta over the fluid; how far T is above `middle`, infinite where
 * it is not finite, and below it. sight: its mesh is g's. */
int triad_staggered_gpu_look_heat(const triad_staggered_gpu *g, const triad_staggered_heat_sight *sight,
                                  triad_real *const u[3], const triad_real *heat, double middle,
                                  const triad_staggered_gpu_results *results, void *stream);

/* Sums number 6 part .. 6 part + 5 of heat_points.h. */
enum {
  TRIAD_STAGGERED_GPU_HEAT_PARTS = (TRIAD_STAGGERED_HEAT_SUMS + TRIAD_STAGGERED_GPU_SUMS - 1) / TRIAD_STAGGERED_GPU_SUMS
};
int triad_staggered_gpu_heat_sums(const triad_staggered_gpu *g, const triad_staggered_heat_sight *sight, int part,
                                  triad_real *const u[3], const triad_real *heat,
                                  const triad_staggered_gpu_results *results, void *stream);

#ifdef __cplusplus
}
#endif
#endif
