/* Stages, the look at a state and budgets on a GPU: own.h's table. */
#include "solvers/compressible/gpu/gpu_own.h"

#include <math.h>

/* ---- a state's halo ---- */

/* Kernels work at the state u from now on. */
static void use(triad_weno_gpu *k, triad_real *const *u)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) k->u[f] = u[f];
}

/* Boundaries of this block. */
static int fill(const triad_weno *w, const triad_weno_gpu *k, void *stream)
{
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      if (w->setup.n[axis] == 1 || w->setup.side[axis][upper].kind == TRIAD_WENO_PERIODIC ||
          w->blocks.neighbour[axis][upper] != TRIAD_NO_NEIGHBOUR)
        continue;
      triad_weno_rule rule = triad_weno_rule_of(w, axis, upper);
      TRIAD_TRY(triad_weno_gpu_face(k, &rule, upper, stream));
    }
  return TRIAD_OK;
}

typedef int (*task)(struct triad_weno_on_gpu *g, const triad_box *box, const triad_weno_gpu_update *update,
                    void *stream);

static int primitives(struct triad_weno_on_gpu *g, const triad_box *box, const triad_weno_gpu_update *update,
                      void *stream)
{
  (void)update;
  return triad_weno_gpu_primitives(&g->kernel, box, stream);
}

static int rates(struct triad_weno_on_gpu *g, const triad_box *box, const triad_weno_gpu_update *update, void *stream)
{
  return triad_weno_gpu_rates(&g->kernel, update, box, stream);
}

/* Do what `all` has and `done` has not. */
static int shell(struct triad_weno_on_gpu *g, const triad_box *all, const triad_box *done, task f,
                 const triad_weno_gpu_update *update, void *stream)
{
  triad_box part[TRIAD_BOX_SHELL];
  int n = triad_box_shell(all, done, part);
  for (int i = 0; i < n; i++) TRIAD_TRY(f(g, &part[i], update, stream));
  return TRIAD_OK;
}

/* ---- stages ---- */

/* Once a GPU has failed, others wait for its halos in vain: there is no way back. */
static int or_stop(const triad_weno *w, int st)
{
  if (w->context->comm.size > 1) triad_must(&w->context->comm, st);
  return st;
}

/* In steps that are timed apart: wait, and add the time since to a phase. */
static int note(triad_weno *w, int phase, double *since)
{
  if (!w->gpu->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(w->gpu->device));
  double now = triad_now();
  if (phase >= 0) w->phases.s[phase] += now - *since;
  *since = now;
  return TRIAD_OK;
}

/* Halos, boundaries and primitives of u, and, with `update`, its rates put to use: the interior while halos travel.
 * Collective; where it fails on several ranks it aborts them all. */
static int sweep(triad_weno *w, triad_real *const *u, const triad_weno_gpu_update *update)
{
  struct triad_weno_on_gpu *g = w->gpu;
  void *stream = triad_device_stream(g->device);
  double since = 0;
  use(&g->kernel, u);
  int st = note(w, -1, &since);
  triad_gpu_halo_begin(g->halo, u, TRIAD_WENO_FIELDS, stream);
  if (g->apart) triad_gpu_halo_end(g->halo, stream);
  if (st == TRIAD_OK) st = note(w, TRIAD_PHASE_EXCHANGE, &since);
  if (st == TRIAD_OK) st = fill(w, &g->kernel, stream);
  if (st == TRIAD_OK) st = triad_weno_gpu_primitives(&g->kernel, &g->near, stream);
  if (st == TRIAD_OK && update) st = triad_weno_gpu_rates(&g->kernel, update, &g->inner, stream);
  if (!g->apart) triad_gpu_halo_end(g->halo, stream);
  if (st == TRIAD_OK && w->context->comm.size > 1) st = fill(w, &g->kernel, stream);
  if (st == TRIAD_OK) st = shell(g, &g->padded, &g->near, primitives, NULL, stream);
  if (st == TRIAD_OK && update) st = shell(g, &g->own, &g->inner, rates, update, stream);
  if (st == TRIAD_OK) st = note(w, TRIAD_PHASE_POINTWISE, &since);
  return or_stop(w, st);
}

static void copy_set(triad_real *to[TRIAD_WENO_FIELDS], triad_real *const *from)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++) to[f] = from ? from[f] : NULL;
}

static int stage(triad_weno *w, triad_real *const *u, const triad_weno_update *p)
{
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
  return sweep(w, u, &update);
}

static int bring(triad_weno *w) { return sweep(w, w->gpu->set[0], NULL); }

static triad_real *const *velocity(const triad_weno *w) { return w->gpu->kernel.primitive; }

static int check_state(triad_weno *w, triad_weno_state_check *look)
{
  struct triad_weno_on_gpu *g = w->gpu;
  double worst[5];
  use(&g->kernel, g->set[0]);
  int st = triad_weno_gpu_primitives(&g->kernel, &g->own, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_weno_gpu_state_check(&g->kernel, g->worst, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_device_get(g->device, worst, g->worst, sizeof worst);
  TRIAD_TRY(or_stop(w, st));
  *look = (triad_weno_state_check){worst[0], worst[3], worst[4], worst[1] * triad_weno_viscous_factor(w), worst[2] > 0};
  return TRIAD_OK;
}

static void apart(triad_weno *w, int on) { w->gpu->apart = on; }

/* Budgets on a GPU: rows are summed there, in an order that depends on their length alone; rows exactly here. */
static void merge_rows(const triad_weno *w, const double *rows, triad_sum sums[TRIAD_WENO_SUMS],
                       double extreme[TRIAD_WENO_EXTREMES])
{
  int64_t n = w->blocks.local[1] * w->blocks.local[2];
  for (int e = 0; e < TRIAD_WENO_EXTREMES; e++) extreme[e] = rows[TRIAD_WENO_SUMS + e];
#pragma omp parallel for schedule(static) num_threads(triad_weno_threads(w, n))
  for (int s = 0; s < TRIAD_WENO_SUMS; s++) {
    triad_sum_clear(&sums[s]);
    for (int64_t i = 0; i < n; i++) triad_sum_add(&sums[s], rows[i * TRIAD_WENO_GPU_NUMBERS + s]);
  }
  for (int64_t i = 1; i < n; i++)
    for (int e = 0; e < TRIAD_WENO_EXTREMES; e++)
      extreme[e] = fmax(extreme[e], rows[i * TRIAD_WENO_GPU_NUMBERS + TRIAD_WENO_SUMS + e]);
}

static int sum(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES])
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  TRIAD_TRY(bring(w));
  TRIAD_TRY(triad_weno_gpu_terms(&g->kernel, &d, g->rows, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, g->rows_here, g->rows, triad_weno_gpu_row_bytes(w)));
  merge_rows(w, g->rows_here, sums, extreme);
  return TRIAD_OK;
}

static int count(triad_weno *w, double bound, int64_t *points)
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  unsigned long long here = 0;
  TRIAD_TRY(triad_weno_gpu_below(&g->kernel, &d, bound, g->count, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, &here, g->count, sizeof here));
  *points = (int64_t)here;
  return TRIAD_OK;
}

static triad_real *const *set(const triad_weno *w, int number) { return w->gpu->set[number]; }

static int copy(const triad_weno *w, int number, triad_real *const *to)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
    TRIAD_TRY(
      triad_device_get(w->gpu->device, to[f], w->gpu->set[number][f], w->blocks.volume * (int64_t)sizeof(triad_real)));
  return TRIAD_OK;
}

static int64_t sent_bytes(const triad_weno *w) { return triad_gpu_halo_bytes(w->gpu->halo, TRIAD_WENO_FIELDS); }

static const char *transport(const triad_weno *w) { return triad_gpu_halo_transport(w->gpu->halo); }

extern const triad_weno_gpu_part triad_weno_gpu_table;

const triad_weno_gpu_part triad_weno_gpu_table = {.make = triad_weno_gpu_make,
                                                  .drop = triad_weno_gpu_drop,
                                                  .set = set,
                                                  .copy = copy,
                                                  .stage = stage,
                                                  .bring = bring,
                                                  .velocity = velocity,
                                                  .state_check_at = check_state,
                                                  .sum = sum,
                                                  .count = count,
                                                  .conserved_at = triad_weno_gpu_conserved_at,
                                                  .apart = apart,
                                                  .sent_bytes = sent_bytes,
                                                  .transport = transport,
                                                  .force_make = triad_gas_gpu_force_make,
                                                  .force_push = triad_gas_gpu_force_push,
                                                  .force_cool = triad_gas_gpu_force_cool,
                                                  .sponge_make = triad_gas_gpu_sponge_make,
                                                  .sponge_draw = triad_gas_gpu_sponge_draw,
                                                  .between_drop = triad_gas_gpu_drop,
                                                  .bytes = triad_weno_gpu_bytes};
