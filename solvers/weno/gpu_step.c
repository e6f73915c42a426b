/* The solver's fields on a GPU, and the stages there: own.h's side of gpu_weno.h. */
#include "solvers/weno/gpu_weno.h"
#include "solvers/weno/own.h"

#include <stdlib.h>

enum { SETS = 4 /* the state, two between stages, the sum of rk4 */ };

struct triad_weno_on_gpu {
  triad_device *device;
  triad_real *memory;
  double *worst;                        /* [3] */
  triad_real *set[SETS][TRIAD_WENO_FIELDS];
  triad_weno_gpu kernel;                /* u is set anew for each stage */
  int newer;                            /* is the state here newer than the host's? */
};

/* Fields begin on lines of 128 bytes. */
static int64_t spread(const triad_blocks *b) { return (b->volume + 31) / 32 * 32; }

static triad_weno_gpu kernel_of(const triad_weno *w)
{
  const triad_blocks *b = &w->blocks;
  triad_weno_gpu k = {.gas = w->gas,
                      .origin = b->origin,
                      .volume = b->volume,
                      .form = (int)w->setup.form,
                      .weights = (int)w->setup.weights,
                      .variables = (int)w->setup.variables,
                      .riemann = (int)w->setup.riemann,
                      .positivity = w->setup.positivity,
                      .viscous = w->setup.viscosity > 0};
  for (int i = 0; i < 3; i++) {
    k.local[i] = b->local[i];
    k.halo[i] = b->halo[i];
    k.stride[i] = b->stride[i];
    k.per_spacing[i] = w->per_spacing[i];
  }
  return k;
}

int triad_weno_gpu_make(triad_weno *w, triad_device *device)
{
  struct triad_weno_on_gpu *g = w->gpu = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the compressible solver on a GPU");
  g->device = device;
  g->kernel = kernel_of(w);
  if (w->context->comm.size > 1)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver compressible takes steps on a GPU on one rank only so far");
  int sets = w->setup.scheme == TRIAD_WENO_RK4 ? SETS : SETS - 1, primitives = 4 + g->kernel.viscous;
  int64_t step = spread(&w->blocks), fields = (sets + 1) * TRIAD_WENO_FIELDS + primitives;
  TRIAD_TRY(triad_device_take(device, "compressible fields", fields * step, sizeof *g->memory, (void **)&g->memory));
  TRIAD_TRY(triad_device_take(device, "compressible extremes", 3, sizeof *g->worst, (void **)&g->worst));
  triad_real *at = g->memory;
  for (int s = 0; s < sets; s++)
    for (int f = 0; f < TRIAD_WENO_FIELDS; f++, at += step) g->set[s][f] = at;
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++, at += step) g->kernel.rate[f] = at;
  for (int f = 0; f < primitives; f++, at += step) g->kernel.primitive[f] = at;
  return TRIAD_OK;
}

void triad_weno_gpu_drop(triad_weno *w)
{
  if (!w->gpu) return;
  if (w->gpu->device) {
    triad_device_give(w->gpu->device, (void **)&w->gpu->memory);
    triad_device_give(w->gpu->device, (void **)&w->gpu->worst);
  }
  free(w->gpu);
  w->gpu = NULL;
}

triad_real *const *triad_weno_gpu_set(const triad_weno *w, int number) { return w->gpu->set[number]; }

int triad_weno_gpu_put(triad_weno *w)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
    TRIAD_TRY(triad_device_put(w->gpu->device, w->gpu->set[0][f], w->u[f],
                               w->blocks.volume * (int64_t)sizeof(triad_real)));
  w->gpu->newer = 0;
  return TRIAD_OK;
}

int triad_weno_gpu_get(triad_weno *w)
{
  if (!w->gpu->newer) return TRIAD_OK;
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
    TRIAD_TRY(triad_device_get(w->gpu->device, w->u[f], w->gpu->set[0][f],
                               w->blocks.volume * (int64_t)sizeof(triad_real)));
  w->gpu->newer = 0;
  return TRIAD_OK;
}

int triad_weno_gpu_copy(const triad_weno *w, int number, triad_real *const *to)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
    TRIAD_TRY(triad_device_get(w->gpu->device, to[f], w->gpu->set[number][f],
                               w->blocks.volume * (int64_t)sizeof(triad_real)));
  return TRIAD_OK;
}

static void use(triad_weno_gpu *k, triad_real *const *u)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) k->u[f] = u[f];
}

static int fill(const triad_weno *w, const triad_weno_gpu *k, void *stream)
{
  for (int axis = 0; axis < 3; axis++) {
    if (w->setup.n[axis] == 1) continue;
    if (w->setup.side[axis][0].kind == TRIAD_WENO_PERIODIC) {
      TRIAD_TRY(triad_weno_gpu_wrap(k, axis, stream));
      continue;
    }
    for (int upper = 0; upper < 2; upper++) {
      triad_weno_rule rule = triad_weno_rule_of(w, axis, upper);
      TRIAD_TRY(triad_weno_gpu_face(k, &rule, upper, stream));
    }
  }
  return TRIAD_OK;
}

static void copy_set(triad_real *to[TRIAD_WENO_FIELDS], triad_real *const *from)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) to[f] = from ? from[f] : NULL;
}

int triad_weno_gpu_stage(triad_weno *w, triad_real *const *u, const triad_weno_update *p)
{
  struct triad_weno_on_gpu *g = w->gpu;
  void *stream = triad_device_stream(g->device);
  triad_weno_gpu_update update = {.x_part = p->x_part,
                                  .y_part = p->y_part,
                                  .rate_part = p->rate_part,
                                  .sum_part = p->sum_part,
                                  .dt = p->dt,
                                  .has_y = p->y != NULL,
                                  .has_sum = p->sum != NULL};
  copy_set(update.out, p->out);
  copy_set(update.x, p->x);
  copy_set(update.y, p->y);
  copy_set(update.sum, p->sum);
  copy_set(update.from, p->from);
  use(&g->kernel, u);
  g->newer = 1;
  TRIAD_TRY(fill(w, &g->kernel, stream));
  TRIAD_TRY(triad_weno_gpu_primitives(&g->kernel, stream));
  return triad_weno_gpu_rates(&g->kernel, &update, stream);
}

int triad_weno_gpu_look_at(triad_weno *w, triad_weno_look *look)
{
  struct triad_weno_on_gpu *g = w->gpu;
  double worst[3];
  use(&g->kernel, g->set[0]);
  TRIAD_TRY(triad_weno_gpu_primitives(&g->kernel, triad_device_stream(g->device)));
  TRIAD_TRY(triad_weno_gpu_look(&g->kernel, g->worst, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, worst, g->worst, sizeof worst));
  *look = (triad_weno_look){worst[0], worst[1] * triad_weno_viscous_factor(w), worst[2] > 0};
  return TRIAD_OK;
}
