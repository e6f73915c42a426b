/* The temperature on a GPU: a stage, its halos, buoyancy, and sums for the series, by the kernels of gpu_heat.h. */
#include "solvers/staggered/gpu/gpu_heat.h"
#include "solvers/staggered/gpu/gpu_fields.h"
#include "solvers/staggered/gpu/gpu_heat_loops.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/state/thermal.h"

#include <string.h>

static void *stream_of(const triad_staggered_flow *f) { return triad_device_stream(f->device); }

/* As triad_staggered_fill_heat. */
int triad_staggered_gpu_fill_heat_of(triad_staggered_flow *f, int change, triad_real *heat)
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  triad_staggered_gpu_fill_cells(f, heat);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      const int held = t->held[axis][upper];
      if (!triad_staggered_ends_at(f->mesh, axis, upper)) continue;
      TRIAD_TRY(triad_staggered_gpu_heat_end(&f->gpu->kernel, axis, upper, held ? -1 : 1,
                                             held && !change ? 2 * t->wall[axis][upper] : 0, heat, stream_of(f)));
    }
  return TRIAD_OK;
}

int triad_staggered_gpu_fill_heat(triad_staggered_flow *f, int vector)
{
  return triad_staggered_gpu_fill_heat_of(f, 0, f->gpu->heat[vector]);
}

int triad_staggered_gpu_find_heat(triad_staggered_flow *f, const triad_staggered_heat_stage *stage)
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  const triad_staggered_thermal *t = &f->setup.thermal;
  triad_staggered_gpu_heat_update update = {.in = g->heat[stage->in],
                                            .diffused = g->heat[stage->diffused],
                                            .x = g->heat[stage->x],
                                            .out = g->heat[stage->out],
                                            .x_part = (triad_real)stage->x_part,
                                            .rate = (triad_real)stage->rate,
                                            .diffusivity = (triad_real)stage->diffusivity,
                                            .source = (triad_real)t->source,
                                            .held = t->solids_held};
  for (int a = 0; a < 3; a++) {
    update.u[a] = g->u[stage->in][a];
    update.gradient[a] = (triad_real)t->gradient[a];
  }
  return triad_staggered_gpu_heat(&g->kernel, &update, stream_of(f));
}

int triad_staggered_gpu_add_buoyancy(triad_staggered_flow *f, double dt, int in, int out)
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  double factor[3];
  for (int a = 0; a < 3; a++) factor[a] = -dt * t->expansion * t->gravity[a];
  return triad_staggered_gpu_buoyancy(&f->gpu->kernel, f->gpu->heat[in], t->reference, factor, f->gpu->u[out],
                                      stream_of(f));
}

/* ---- sums ---- */

static triad_staggered_heat_sight sight_of(const triad_staggered_flow *f)
{
  triad_staggered_heat_sight sight = triad_staggered_heat_sight_of(f->mesh);
  sight.box.sizes = f->gpu->kernel.sizes;
  return sight;
}

/* Once a GPU has failed, others wait for its sums in vain. */
static int settle(const triad_staggered_flow *f, int status)
{
  if (f->context->comm.size > 1) triad_must(&f->context->comm, status);
  return status;
}

int triad_staggered_gpu_find_heat_limits(triad_staggered_flow *f, double results[4])
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  const triad_staggered_heat_sight sight = sight_of(f);
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  int st = triad_staggered_gpu_look_heat(&g->kernel, &sight, g->u[0], g->heat[0], f->look.heat.middle,
                                         &g->solver.results, stream_of(f));
  if (st == TRIAD_OK) st = triad_staggered_gpu_sums(f, 2, 2, TRIAD_STAGGERED_AFTER_SUMS);
  memcpy(results, g->solver.now.sum, 4 * sizeof *results);
  return settle(f, st);
}

int triad_staggered_gpu_sum_heat(triad_staggered_flow *f, double *out)
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  const triad_staggered_heat_sight sight = sight_of(f);
  int st = TRIAD_OK;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  for (int part = 0; part < TRIAD_STAGGERED_GPU_HEAT_PARTS && st == TRIAD_OK; part++) {
    const int first = part * TRIAD_STAGGERED_GPU_SUMS, left = TRIAD_STAGGERED_HEAT_SUMS - first;
    const int n = left < TRIAD_STAGGERED_GPU_SUMS ? left : TRIAD_STAGGERED_GPU_SUMS;
    st = triad_staggered_gpu_heat_sums(&g->kernel, &sight, part, g->u[0], g->heat[0], &g->solver.results, stream_of(f));
    if (st == TRIAD_OK) st = triad_staggered_gpu_sums(f, TRIAD_STAGGERED_GPU_SUMS, 0, TRIAD_STAGGERED_AFTER_SUMS);
    memcpy(out + first, g->solver.now.sum, (size_t)n * sizeof *out);
  }
  return settle(f, st);
}
