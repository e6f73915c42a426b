/* The solver's fields on a GPU, and the stages there: own.h's side of gpu_weno.h. */
#include "solvers/weno/gpu_weno.h"

#include "grid/gpu_halo.h"
#include "solvers/weno/own.h"

#include <stdlib.h>

enum { SETS = 4 /* the state, two between stages, the sum of rk4 */, NUMBERS = TRIAD_WENO_SUMS + TRIAD_WENO_EXTREMES };

/* Points along x that are worked at together: a box with fewer wastes lanes. And points of the interior from which on it is
 * worth its launches to be done while halos travel. */
enum { LANES = 32, WORTH_SPLITTING = 1 << 17 };

struct triad_weno_on_gpu {
  triad_device *device;
  triad_real *memory;
  double *worst;                        /* [3] */
  double *rows;                         /* [own rows along x][NUMBERS], for budgets */
  unsigned long long *count;
  triad_real *set[SETS][TRIAD_WENO_FIELDS];
  triad_weno_gpu kernel;                /* u is set anew for each stage */
  triad_gpu_halo *halo;
  triad_weno_box own, near, padded;     /* own points; with halos that are filled here; with all halos   */
  triad_weno_box inner;                 /* points whose rates can be had before halos come; may be empty */
  int newer;                            /* is the state here newer than the host's?   */
  int apart;                            /* halos, then arithmetic, each waited for     */
};

/* Fields begin on lines of 128 bytes. */
static int64_t spread(const triad_blocks *b) { return (b->volume + 31) / 32 * 32; }

static int sets_of(const triad_weno_setup *s) { return s->scheme == TRIAD_WENO_RK4 ? SETS : SETS - 1; }

static int64_t fields_of(const triad_weno_setup *s)
{
  return (sets_of(s) + 1) * TRIAD_WENO_FIELDS + 4 + (s->viscosity > 0);
}

int64_t triad_weno_gpu_bytes(const triad_blocks *b, const triad_weno_setup *s)
{
  return fields_of(s) * spread(b) * (int64_t)sizeof(triad_real) + b->local[1] * b->local[2] * NUMBERS * (int64_t)sizeof(double) +
         triad_gpu_halo_needs(b, triad_weno_halo(s), TRIAD_WENO_FIELDS, TRIAD_HALO_EDGES);
}

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

/* Which points are worked at when. */
static void divide(triad_weno *w, struct triad_weno_on_gpu *g)
{
  const triad_blocks *b = &w->blocks;
  const int64_t margin[3] = {b->halo[0] > LANES ? b->halo[0] : LANES, b->halo[1], b->halo[2]};
  g->own = triad_weno_own_box(b);
  g->near = triad_weno_near_box(b);
  g->padded = triad_weno_padded_box(b);
  g->inner = triad_weno_inner_box(b, margin);
  if (w->context->comm.size > 1 && triad_weno_box_points(&g->inner) < WORTH_SPLITTING) g->inner = (triad_weno_box){{0}, {0}};
}

static int take(triad_weno *w, struct triad_weno_on_gpu *g)
{
  const triad_blocks *b = &w->blocks;
  int sets = sets_of(&w->setup), primitives = 4 + g->kernel.viscous;
  int64_t step = spread(b);
  TRIAD_TRY(triad_device_take(g->device, "compressible fields", fields_of(&w->setup) * step, sizeof *g->memory,
                              (void **)&g->memory));
  TRIAD_TRY(triad_device_take(g->device, "compressible extremes", 3, sizeof *g->worst, (void **)&g->worst));
  TRIAD_TRY(triad_device_take(g->device, "compressible budgets", b->local[1] * b->local[2] * NUMBERS, sizeof *g->rows,
                              (void **)&g->rows));
  TRIAD_TRY(triad_device_take(g->device, "compressible budgets", 1, sizeof *g->count, (void **)&g->count));
  triad_real *at = g->memory;
  for (int s = 0; s < sets; s++)
    for (int f = 0; f < TRIAD_WENO_FIELDS; f++, at += step) g->set[s][f] = at;
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++, at += step) g->kernel.rate[f] = at;
  for (int f = 0; f < primitives; f++, at += step) g->kernel.primitive[f] = at;
  return TRIAD_OK;
}

int triad_weno_gpu_make(triad_weno *w, triad_device *device, const char *transport)
{
  struct triad_weno_on_gpu *g = w->gpu = calloc(1, sizeof *g);
  int st = g ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the compressible solver on a GPU");
  if (g) {
    g->device = device;
    g->kernel = kernel_of(w);
    divide(w, g);
    st = take(w, g);
  }
  TRIAD_TRY(triad_agree(&w->context->comm, st));
  return triad_gpu_halo_create(&g->halo, w->context, device, &w->blocks, triad_weno_halo(&w->setup), TRIAD_WENO_FIELDS,
                               TRIAD_HALO_EDGES, transport);
}

void triad_weno_gpu_drop(triad_weno *w)
{
  struct triad_weno_on_gpu *g = w->gpu;
  if (!g) return;
  triad_gpu_halo_destroy(&g->halo);
  triad_device_give(g->device, (void **)&g->memory);
  triad_device_give(g->device, (void **)&g->worst);
  triad_device_give(g->device, (void **)&g->rows);
  triad_device_give(g->device, (void **)&g->count);
  free(g);
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

int triad_weno_gpu_copy(const triad_weno *w, int number, triad_real *const *to)
{
  for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
    TRIAD_TRY(triad_device_get(w->gpu->device, to[f], w->gpu->set[number][f],
                               w->blocks.volume * (int64_t)sizeof(triad_real)));
  return TRIAD_OK;
}

int triad_weno_gpu_get(triad_weno *w)
{
  if (!w->gpu->newer) return TRIAD_OK;
  TRIAD_TRY(triad_weno_gpu_copy(w, 0, w->u));
  w->gpu->newer = 0;
  return TRIAD_OK;
}

/* ---- a state's halo ---- */

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

typedef int (*task)(struct triad_weno_on_gpu *g, const triad_weno_box *box, const triad_weno_gpu_update *update, void *stream);

static int primitives(struct triad_weno_on_gpu *g, const triad_weno_box *box, const triad_weno_gpu_update *update,
                      void *stream)
{
  (void)update;
  return triad_weno_gpu_primitives(&g->kernel, box, stream);
}

static int rates(struct triad_weno_on_gpu *g, const triad_weno_box *box, const triad_weno_gpu_update *update, void *stream)
{
  return triad_weno_gpu_rates(&g->kernel, update, box, stream);
}

/* Do what `all` has and `done` has not. */
static int shell(struct triad_weno_on_gpu *g, const triad_weno_box *all, const triad_weno_box *done, task f,
                 const triad_weno_gpu_update *update, void *stream)
{
  triad_weno_box part[TRIAD_WENO_SHELL];
  int n = triad_weno_shell(all, done, part);
  for (int i = 0; i < n; i++) TRIAD_TRY(f(g, &part[i], update, stream));
  return TRIAD_OK;
}

/* ---- stages ---- */

/* Once a GPU has failed, others wait for its halos in vain: there is no way back. */
static int or_stop(const triad_weno *w, int st)
{
  const triad_comm *comm = &w->context->comm;
  if (st == TRIAD_OK || comm->size == 1) return st;
  triad_message_print(comm->rank);
  return TRIAD_MPI(MPI_Abort(comm->mpi, st));
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

/* Halos, boundaries and primitives of u, and, with `update`, its rates put to use: the interior while halos travel. */
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

int triad_weno_gpu_stage(triad_weno *w, triad_real *const *u, const triad_weno_update *p)
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
  w->gpu->newer = 1;
  return sweep(w, u, &update);
}

int triad_weno_gpu_look_at(triad_weno *w, triad_weno_look *look)
{
  struct triad_weno_on_gpu *g = w->gpu;
  double worst[3];
  use(&g->kernel, g->set[0]);
  int st = triad_weno_gpu_primitives(&g->kernel, &g->own, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_weno_gpu_look(&g->kernel, g->worst, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_device_get(g->device, worst, g->worst, sizeof worst);
  TRIAD_TRY(or_stop(w, st));
  *look = (triad_weno_look){worst[0], worst[1] * triad_weno_viscous_factor(w), worst[2] > 0};
  return TRIAD_OK;
}

void triad_weno_gpu_apart(triad_weno *w, int apart) { w->gpu->apart = apart; }

int64_t triad_weno_gpu_sent_bytes(const triad_weno *w) { return triad_gpu_halo_bytes(w->gpu->halo, TRIAD_WENO_FIELDS); }

const char *triad_weno_gpu_transport(const triad_weno *w) { return triad_gpu_halo_transport(w->gpu->halo); }

/* ---- budgets ---- */

static void merge_rows(const triad_weno *w, const double *rows, triad_sum sums[TRIAD_WENO_SUMS],
                       double extreme[TRIAD_WENO_EXTREMES])
{
  int64_t n = w->blocks.local[1] * w->blocks.local[2];
  for (int e = 0; e < TRIAD_WENO_EXTREMES; e++) extreme[e] = rows[TRIAD_WENO_SUMS + e];
#pragma omp parallel for schedule(static) num_threads(triad_weno_threads(w, n))
  for (int s = 0; s < TRIAD_WENO_SUMS; s++) {
    triad_sum_clear(&sums[s]);
    for (int64_t i = 0; i < n; i++) triad_sum_add(&sums[s], rows[i * NUMBERS + s]);
  }
  for (int64_t i = 1; i < n; i++)
    for (int e = 0; e < TRIAD_WENO_EXTREMES; e++)
      if (rows[i * NUMBERS + TRIAD_WENO_SUMS + e] > extreme[e]) extreme[e] = rows[i * NUMBERS + TRIAD_WENO_SUMS + e];
}

int triad_weno_gpu_sum(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES])
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  int64_t n = w->blocks.local[1] * w->blocks.local[2] * NUMBERS;
  double *rows = NULL;
  int st = sweep(w, g->set[0], NULL);
  if (st == TRIAD_OK) st = TRIAD_TAKE(w->context->memory, "sums of budgets", n, &rows);
  if (st == TRIAD_OK) st = triad_weno_gpu_terms(&g->kernel, &d, g->rows, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_device_get(g->device, rows, g->rows, n * (int64_t)sizeof *rows);
  if (st == TRIAD_OK) merge_rows(w, rows, sums, extreme);
  TRIAD_GIVE(w->context->memory, &rows);
  return st;
}

int triad_weno_gpu_count(triad_weno *w, double bound, int64_t *count)
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  unsigned long long here = 0;
  TRIAD_TRY(triad_weno_gpu_below(&g->kernel, &d, bound, g->count, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, &here, g->count, sizeof here));
  *count = (int64_t)here;
  return TRIAD_OK;
}
