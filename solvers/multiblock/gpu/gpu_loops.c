/* The loops of a step on a GPU: triad_multiblock_loops by the kernels of cuda/multiblock/, all on the device's
 * stream. */
#include "solvers/multiblock/gpu/gpu_internal.h"
#include "solvers/multiblock/gpu/gpu_fields.h"

#include "solvers/multiblock/state/metrics.h"

#include <string.h>

typedef struct triad_multiblock_on_gpu on_gpu;

static void *stream_of(const triad_multiblock_flow *f) { return triad_device_stream(f->device); }

static triad_real *const *primitives_of(const triad_multiblock_flow *f) { return f->gpu->q[f->gpu->now]; }

/* ---- primitives and what follows from them ---- */

/* With rates of the state, and the largest of them. */
static void find_primitives(triad_multiblock_flow *f)
{
  on_gpu *g = f->gpu;
  const int none = 0;
  f->rates_first = 0;
  if (g->bad_set) TRIAD_MULTIBLOCK_LAUNCH(g, triad_device_put(f->device, g->kernel.bad, &none, (int64_t)sizeof none));
  g->bad_set = 0;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_look(&g->kernel, g->u, primitives_of(f), stream_of(f)));
}

static void set_boundaries(triad_multiblock_flow *f)
{
  on_gpu *g = f->gpu;
  g->kernel.order = (triad_real)f->order;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_boundaries(&g->kernel, primitives_of(f), stream_of(f)));
}

static void begin_halos(triad_multiblock_flow *f)
{
  if (f->gpu->failure == TRIAD_OK)
    triad_gpu_halo_begin(f->gpu->halo, primitives_of(f), TRIAD_MULTIBLOCK_FIELDS, stream_of(f));
}

static void end_halos(triad_multiblock_flow *f)
{
  if (f->gpu->failure == TRIAD_OK) triad_gpu_halo_end(f->gpu->halo, stream_of(f));
}

static void fill_derived(triad_multiblock_flow *f, triad_multiblock_places places)
{
  on_gpu *g = f->gpu;
  const int late = places == TRIAD_MULTIBLOCK_LATE_PLACES;
  TRIAD_MULTIBLOCK_LAUNCH(
    g, triad_multiblock_gpu_edges((const int(*)[4])g->left, g->n_left, primitives_of(f), stream_of(f)));
  if (!f->viscosity) return;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_temperatures(&g->kernel, primitives_of(f), late ? g->late : NULL,
                                                               late ? g->n_late : g->kernel.memory, stream_of(f)));
}

/* ---- a stage ---- */

/* Do local steps find their rates in their first stage, not at the end of the step before? 6 % faster without
 * viscosity, 3 % slower with it (an H100, docs/notebook/blocks.md). */
static int finds_rates_first(const triad_multiblock_flow *f, const triad_multiblock_stage *stage)
{
  return !(stage->dt > 0) && !f->viscosity;
}

/* A stage reads the primitives at hand and leaves its own in the other memory. */
static triad_multiblock_gpu_stage kernel_stage(const triad_multiblock_flow *f, const triad_multiblock_stage *stage)
{
  const on_gpu *g = f->gpu;
  const triad_scheme *s = &f->setup.scheme;
  const int k = stage->number, last = k == s->n_stages - 1,
            keeps = !last && g->stage[0] && !(s->stage[k + 1].last <= 0 && s->stage[k + 1].last >= 0);
  triad_multiblock_gpu_stage p = {.start = stage->start,
                                  .last = stage->last,
                                  .rate = stage->rate,
                                  .cfl = stage->cfl,
                                  .dt = stage->dt,
                                  .squares = k == 0,
                                  .look = last && !f->rates_first,
                                  .find = k == 0 && f->rates_first};
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    p.q[m] = g->q[g->now][m];
    p.next[m] = p.rest[m] = g->q[1 - g->now][m];
    p.u0[m] = g->u[m];
    p.was[m] = k == 0 ? g->u[m] : g->stage[m];
    p.u[m] = last ? g->u[m] : keeps ? g->stage[m] : NULL;
  }
  return p;
}

static void sweep_tiles(triad_multiblock_flow *f, triad_multiblock_stage *stage, triad_multiblock_tiles tiles)
{
  static const triad_multiblock_gpu_when when[] = {[TRIAD_MULTIBLOCK_ALL_TILES] = TRIAD_MULTIBLOCK_GPU_ALL,
                                                   [TRIAD_MULTIBLOCK_EARLY_TILES] = TRIAD_MULTIBLOCK_GPU_EARLY,
                                                   [TRIAD_MULTIBLOCK_LATE_TILES] = TRIAD_MULTIBLOCK_GPU_LATE};
  on_gpu *g = f->gpu;
  if (stage->number == 0) f->rates_first = finds_rates_first(f, stage);
  triad_multiblock_gpu_stage p = kernel_stage(f, stage);
  p.when = when[tiles];
  g->kernel.order = (triad_real)f->order;
  g->kernel.frozen = f->frozen;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_sweep(&g->kernel, &p, stream_of(f)));
}

static void finish_stage(triad_multiblock_flow *f, const triad_multiblock_stage *stage)
{
  (void)stage;
  f->gpu->now = 1 - f->gpu->now;
}

/* Of the primitives at hand. */
static void freeze_limiters(triad_multiblock_flow *f)
{
  on_gpu *g = f->gpu;
  for (int i = 0; i < f->n_parts; i++) {
    const triad_zone_part *p = f->part[i];
    triad_multiblock_gpu_block b = {.origin = (int)p->origin, .flat = f->zones->zone[p->zone].flat};
    for (int a = 0; a < 3; a++) {
      b.n[a] = (int)p->n[a];
      b.stride[a] = (int)p->stride[a];
    }
    for (int axis = 0; axis < 3; axis++)
      if (axis != b.flat)
        TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_freeze(&g->kernel, &b, axis, primitives_of(f), stream_of(f)));
  }
}

static double largest_rate(triad_multiblock_flow *f) { return f->most; }

/* ---- times, sums, costs ---- */

static void charge_phase(triad_multiblock_flow *f, int phase)
{
  on_gpu *g = f->gpu;
  if (!g->apart) return;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_device_wait(f->device));
  triad_phases_charge(&f->phases, phase, &f->charged);
}

static void time_apart(triad_multiblock_flow *f, int on) { f->gpu->apart = on; }

/* Sums of all tiles, and whether a cell is bad. */
static int fetch_sums(triad_multiblock_flow *f, int first, int n, double sum[TRIAD_MULTIBLOCK_GPU_SUMS])
{
  on_gpu *g = f->gpu;
  double all[TRIAD_MULTIBLOCK_GPU_SUMS + 1];
  TRIAD_TRY(triad_multiblock_gpu_finish(&g->kernel, first, n, stream_of(f)));
  TRIAD_TRY(triad_device_get(f->device, all, g->kernel.sum, (int64_t)sizeof all));
  memcpy(sum, all, TRIAD_MULTIBLOCK_GPU_SUMS * sizeof *sum);
  int bad;
  memcpy(&bad, all + TRIAD_MULTIBLOCK_GPU_SUMS, sizeof bad);
  f->bad = bad;
  g->bad_set = bad != 0;
  return TRIAD_OK;
}

/* Once a GPU has failed, others wait for its messages in vain: there is no way back. */
static int settle_step(triad_multiblock_flow *f)
{
  on_gpu *g = f->gpu;
  double sum[TRIAD_MULTIBLOCK_GPU_SUMS];
  TRIAD_MULTIBLOCK_LAUNCH(g, fetch_sums(f, 0, TRIAD_MULTIBLOCK_GPU_SUMS, sum));
  const int st = g->failure;
  g->failure = TRIAD_OK;
  if (f->context->comm.size > 1) triad_must(&f->context->comm, st);
  if (st != TRIAD_OK) return st;
  memcpy(f->squares, sum, sizeof f->squares);
  f->most = sum[TRIAD_MULTIBLOCK_GPU_RATE];
  charge_phase(f, TRIAD_MULTIBLOCK_PHASE_CHECKS);
  return TRIAD_OK;
}

static int find_totals(triad_multiblock_flow *f, triad_sum sums[TRIAD_MULTIBLOCK_TOTALS], double *limited)
{
  on_gpu *g = f->gpu;
  double sum[TRIAD_MULTIBLOCK_GPU_SUMS] = {0};
  const int64_t bytes = f->n_faces * (int64_t)sizeof(triad_real);
  TRIAD_TRY(triad_agree(&f->context->comm, triad_multiblock_read_flow(f, TRIAD_DEVICE)));
  int st = triad_multiblock_gpu_totals(&g->kernel, g->u, g->q[g->now][4], stream_of(f));
  if (st == TRIAD_OK) st = triad_multiblock_gpu_drags(&g->kernel, g->q[g->now], stream_of(f));
  if (st == TRIAD_OK) st = fetch_sums(f, TRIAD_MULTIBLOCK_GPU_ENERGY, 3, sum);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS && st == TRIAD_OK; m++)
    st = triad_device_get(f->device, f->face_flux[m], g->kernel.face_flux[m], bytes);
  for (int a = 0; a < 3 && st == TRIAD_OK && f->face_drag[a]; a++)
    st = triad_device_get(f->device, f->face_drag[a], g->kernel.face_drag[a], bytes);
  triad_sum_add(&sums[TRIAD_MULTIBLOCK_ENERGY], sum[TRIAD_MULTIBLOCK_GPU_ENERGY]);
  triad_sum_add(&sums[TRIAD_MULTIBLOCK_MASS], sum[TRIAD_MULTIBLOCK_GPU_MASS]);
  *limited = sum[TRIAD_MULTIBLOCK_GPU_LIMITED];
  return triad_agree(&f->context->comm, st);
}

/* The first stage has the state at the start from the primitives if it does not keep its own. */
static double moved_numbers(const triad_multiblock_flow *f)
{
  const triad_scheme *s = &f->setup.scheme;
  const int metrics = triad_multiblock_metric_words(&f->setup, f->zones),
            known = s->n_stages > 1 && !(s->stage[1].last > 0 || s->stage[1].last < 0);
  return (double)f->space.here * (s->n_stages * (metrics + 1 + 3 * TRIAD_MULTIBLOCK_FIELDS + (f->viscosity ? 6 : 0)) +
                                  1 + (known ? 0 : TRIAD_MULTIBLOCK_FIELDS));
}

static int64_t sent_bytes(const triad_multiblock_flow *f)
{
  return triad_gpu_halo_bytes(f->gpu->halo, TRIAD_MULTIBLOCK_FIELDS);
}

static const char *transport_word(const triad_multiblock_flow *f) { return triad_gpu_halo_transport(f->gpu->halo); }

const triad_multiblock_loops triad_multiblock_gpu_loops = {.where = TRIAD_DEVICE,
                                                           .primitives = find_primitives,
                                                           .boundaries = set_boundaries,
                                                           .begin = begin_halos,
                                                           .end = end_halos,
                                                           .derived = fill_derived,
                                                           .sweep = sweep_tiles,
                                                           .finish_stage = finish_stage,
                                                           .implicit_steps = triad_multiblock_gpu_implicit_steps,
                                                           .first_change = triad_multiblock_gpu_first_change,
                                                           .exchange_change = triad_multiblock_gpu_exchange_change,
                                                           .relax = triad_multiblock_gpu_relax_change,
                                                           .apply_change = triad_multiblock_gpu_apply_change,
                                                           .freeze = freeze_limiters,
                                                           .largest_rate = largest_rate,
                                                           .charge = charge_phase,
                                                           .time_apart = time_apart,
                                                           .settle = settle_step,
                                                           .totals = find_totals,
                                                           .moved = moved_numbers,
                                                           .sent_bytes = sent_bytes,
                                                           .transport = transport_word,
                                                           .free = triad_multiblock_gpu_free};

extern const triad_multiblock_gpu_part triad_multiblock_gpu_table; /* device.c */

const triad_multiblock_gpu_part triad_multiblock_gpu_table = {.create = triad_multiblock_gpu_create,
                                                              .bytes = triad_multiblock_gpu_bytes};
