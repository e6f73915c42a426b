/* The loops of a step on a GPU: triad_compressible_loops by the kernels of cuda/compressible/, all on the device's
 * stream. */
#include "solvers/compressible/gpu/gpu_internal.h"
#include "solvers/compressible/state/differences.h"
#include "solvers/compressible/gpu/gpu_fields.h"

#include <math.h>

typedef struct triad_compressible_on_gpu on_gpu;

static void *stream_of(const triad_compressible *w) { return triad_device_stream(w->gpu->device); }

static triad_real *const *vector_of(const triad_compressible *w, int number) { return w->gpu->set[number]; }

static triad_box inner_box(const triad_compressible *w) { return w->gpu->inner; }

/* ---- a stage ---- */

/* Kernels work at the state u from now on. */
static void use_state(triad_compressible_gpu *k, triad_real *const *u)
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) k->u[f] = u[f];
}

static void begin_halos(triad_compressible *w, triad_real *const *u)
{
  if (w->gpu->failure == TRIAD_OK) triad_gpu_halo_begin(w->gpu->halo, u, TRIAD_COMPRESSIBLE_FIELDS, stream_of(w));
}

static void end_halos(triad_compressible *w)
{
  if (w->gpu->failure == TRIAD_OK) triad_gpu_halo_end(w->gpu->halo, stream_of(w));
}

/* On one rank, what the exchange copies is there before boundaries are filled: they need no filling again. */
static void fill_boundaries(triad_compressible *w, triad_real *const *u, int again)
{
  on_gpu *g = w->gpu;
  if (again && w->context->comm.size == 1) return;
  use_state(&g->kernel, u);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      if (w->setup.n[axis] == 1 || w->setup.side[axis][upper].kind == TRIAD_COMPRESSIBLE_PERIODIC ||
          w->blocks.neighbour[axis][upper] != TRIAD_NO_NEIGHBOUR)
        continue;
      const triad_compressible_rule rule = triad_compressible_rule_of(w, axis, upper);
      TRIAD_COMPRESSIBLE_LAUNCH(g, triad_compressible_gpu_face(&g->kernel, &rule, upper, stream_of(w)));
    }
}

static void find_primitives(triad_compressible *w, triad_real *const *u, const triad_box *box)
{
  use_state(&w->gpu->kernel, u);
  TRIAD_COMPRESSIBLE_LAUNCH(w->gpu, triad_compressible_gpu_primitives(&w->gpu->kernel, box, stream_of(w)));
}

static void copy_set(triad_real *to[TRIAD_COMPRESSIBLE_FIELDS], triad_real *const *from)
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++) to[f] = from ? from[f] : NULL;
}

static void find_rates(triad_compressible *w, triad_real *const *u, const triad_box *box,
                       const triad_compressible_update *p)
{
  triad_compressible_gpu_update update = {.x_part = p->x_part,
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
  use_state(&w->gpu->kernel, u);
  TRIAD_COMPRESSIBLE_LAUNCH(w->gpu, triad_compressible_gpu_rates(&w->gpu->kernel, &update, box, stream_of(w)));
}

static void charge_phase(triad_compressible *w, int phase)
{
  if (!w->gpu->apart && phase != TRIAD_COMPRESSIBLE_PHASE_CHECKS) return;
  TRIAD_COMPRESSIBLE_LAUNCH(w->gpu, triad_device_wait(w->gpu->device));
  triad_phases_charge(&w->phases, w->gpu->apart ? phase : TRIAD_COMPRESSIBLE_PHASE_RATES, &w->charged);
}

static void time_apart(triad_compressible *w, int on) { w->gpu->apart = on; }

/* Once a GPU has failed, others wait for its halos in vain: there is no way back. */
static int settle_stage(triad_compressible *w)
{
  const int st = w->gpu->failure;
  w->gpu->failure = TRIAD_OK;
  if (w->context->comm.size > 1) triad_must(&w->context->comm, st);
  return st;
}

static int check_state(triad_compressible *w, triad_compressible_state_check *found)
{
  on_gpu *g = w->gpu;
  double worst[5] = {0};
  const triad_box own = g->own;
  find_primitives(w, g->set[0], &own);
  TRIAD_COMPRESSIBLE_LAUNCH(g, triad_compressible_gpu_state_check(&g->kernel, g->worst, stream_of(w)));
  TRIAD_COMPRESSIBLE_LAUNCH(g, triad_device_get(g->device, worst, g->worst, sizeof worst));
  TRIAD_TRY(settle_stage(w));
  *found = (triad_compressible_state_check){worst[0], worst[3], worst[4],
                                            worst[1] * triad_compressible_viscous_factor(w), worst[2] > 0};
  return TRIAD_OK;
}

static triad_real *const *velocity_of(const triad_compressible *w) { return w->gpu->kernel.primitive; }

/* Budgets on a GPU: rows are summed there, in an order that depends on their length alone; rows exactly here. */
static void merge_rows(const triad_compressible *w, const double *rows, triad_sum sums[TRIAD_COMPRESSIBLE_SUMS],
                       double extreme[TRIAD_COMPRESSIBLE_EXTREMES])
{
  int64_t n = w->blocks.local[1] * w->blocks.local[2];
  for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) extreme[e] = rows[TRIAD_COMPRESSIBLE_SUMS + e];
#pragma omp parallel for schedule(static) num_threads(triad_compressible_threads(w, n))
  for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) {
    triad_sum_clear(&sums[s]);
    for (int64_t i = 0; i < n; i++) triad_sum_add(&sums[s], rows[i * TRIAD_COMPRESSIBLE_GPU_NUMBERS + s]);
  }
  for (int64_t i = 1; i < n; i++)
    for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++)
      extreme[e] = fmax(extreme[e], rows[i * TRIAD_COMPRESSIBLE_GPU_NUMBERS + TRIAD_COMPRESSIBLE_SUMS + e]);
}

static int sum_points(triad_compressible *w, triad_sum sums[TRIAD_COMPRESSIBLE_SUMS],
                      double extreme[TRIAD_COMPRESSIBLE_EXTREMES])
{
  struct triad_compressible_on_gpu *g = w->gpu;
  const triad_compressible_differences d = triad_compressible_differences_of(w);
  TRIAD_TRY(triad_compressible_gpu_terms(&g->kernel, &d, g->rows, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, g->rows_here, g->rows, triad_compressible_gpu_row_bytes(w)));
  merge_rows(w, g->rows_here, sums, extreme);
  return TRIAD_OK;
}

static int count_below(triad_compressible *w, double bound, int64_t *points)
{
  struct triad_compressible_on_gpu *g = w->gpu;
  const triad_compressible_differences d = triad_compressible_differences_of(w);
  unsigned long long here = 0;
  TRIAD_TRY(triad_compressible_gpu_below(&g->kernel, &d, bound, g->count, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, &here, g->count, sizeof here));
  *points = (int64_t)here;
  return TRIAD_OK;
}

static int copy_vector(const triad_compressible *w, int number, triad_real *const *to)
{
  for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
    TRIAD_TRY(
      triad_device_get(w->gpu->device, to[f], w->gpu->set[number][f], w->blocks.volume * (int64_t)sizeof(triad_real)));
  return TRIAD_OK;
}

static int64_t sent_bytes(const triad_compressible *w)
{
  return triad_gpu_halo_bytes(w->gpu->halo, TRIAD_COMPRESSIBLE_FIELDS);
}

static const char *transport_word(const triad_compressible *w) { return triad_gpu_halo_transport(w->gpu->halo); }

const triad_compressible_loops triad_compressible_gpu_loops = {.where = TRIAD_DEVICE,
                                                               .vector = vector_of,
                                                               .inner = inner_box,
                                                               .begin = begin_halos,
                                                               .end = end_halos,
                                                               .fill = fill_boundaries,
                                                               .primitives = find_primitives,
                                                               .rates = find_rates,
                                                               .charge = charge_phase,
                                                               .time_apart = time_apart,
                                                               .settle = settle_stage,
                                                               .check_state = check_state,
                                                               .velocity = velocity_of,
                                                               .copy = copy_vector,
                                                               .sum = sum_points,
                                                               .count = count_below,
                                                               .conserved_at = triad_compressible_gpu_conserved_at,
                                                               .sent_bytes = sent_bytes,
                                                               .transport = transport_word,
                                                               .free = triad_compressible_gpu_drop};

extern const triad_compressible_gpu_part triad_compressible_gpu_table; /* compressible.c */

const triad_compressible_gpu_part triad_compressible_gpu_table = {.make = triad_compressible_gpu_make,
                                                                  .force_make = triad_gas_gpu_force_make,
                                                                  .force_push = triad_gas_gpu_force_push,
                                                                  .force_cool = triad_gas_gpu_force_cool,
                                                                  .sponge_make = triad_gas_gpu_sponge_make,
                                                                  .sponge_draw = triad_gas_gpu_sponge_draw,
                                                                  .between_drop = triad_gas_gpu_drop,
                                                                  .bytes = triad_compressible_gpu_bytes};
