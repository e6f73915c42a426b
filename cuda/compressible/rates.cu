/* The rates of the compressible solver on a GPU: a sweep along each axis. Viscous fluxes are subtracted at the faces. A
 * sweep adds to the rates; the last one advances the state with them instead of writing them. */
#include "solvers/compressible/gpu/device_sweep.h"

/* The order of flux_points.h for faces across `axis`, as solvers/compressible/host/tile.h has it. */
static sweep_args args_of(const triad_compressible_gpu *g, const triad_compressible_gpu_update *p, const triad_box *box,
                          int axis, int axes)
{
  sweep_args a;
  a.g = *g;
  a.p = *p;
  a.box = *box;
  a.axis = axis;
  a.flags = 0;
  for (int i = 0; i < 3; i++) a.velocity[i] = (axis + i) % 3;
  a.field[0] = 0;
  for (int i = 0; i < 3; i++) a.field[1 + i] = 1 + a.velocity[i];
  a.field[4] = 4;
  a.step = g->stride[axis];
  a.ratio = 2 * (triad_real)axes * p->dt * g->per_spacing[axis];
  a.per_ratio = 1 / a.ratio;
  int64_t step[3];
  triad_real per[3];
  for (int i = 0; i < 3; i++) {
    int v = a.velocity[i];
    step[i] = g->halo[v] > 0 ? g->stride[v] : 0;
    per[i] = g->per_spacing[v] / (g->form == TRIAD_COMPRESSIBLE_UPWIND ? 12 : 1);
  }
  a.viscous = triad_compressible_steps{step[0], step[1], step[2], per[0], per[1], per[2]};
  a.sensor = triad_compressible_sensor_of(g->halo, g->stride, g->per_spacing, axis);
  return a;
}

extern "C" int triad_compressible_gpu_rates(const triad_compressible_gpu *g,
                                            const triad_compressible_gpu_update *update, const triad_box *box,
                                            void *stream)
{
  int axes = 0, done = 0;
  cudaStream_t s = (cudaStream_t)stream;
  if (triad_box_points(box) <= 0) return TRIAD_OK;
  for (int i = 0; i < 3; i++) axes += g->halo[i] > 0;
  for (int i = 0; i < 3; i++) {
    if (g->halo[i] == 0) continue;
    sweep_args a = args_of(g, update, box, i, axes);
    a.flags = (done == 0 ? FIRST : 0) | (done == axes - 1 ? LAST : 0);
    TRIAD_TRY(g->form == TRIAD_COMPRESSIBLE_CENTRAL  ? triad_compressible_sweep_central(&a, s)
              : g->form == TRIAD_COMPRESSIBLE_HYBRID ? triad_compressible_sweep_hybrid(&a, s)
              : i == 0                               ? triad_compressible_sweep_x(&a, s)
                                                     : triad_compressible_sweep_march(&a, s));
    done++;
  }
  return TRIAD_OK;
}
