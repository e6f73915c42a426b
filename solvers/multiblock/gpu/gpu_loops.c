/* Stages of flow on blocks on a GPU: gpu.h's table. */
#include "solvers/multiblock/gpu/gpu_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct triad_mb_on_gpu on_gpu;

/* Once a GPU has failed, others wait for its messages in vain: there is no way back. */
static int or_stop(const triad_mb_flow *f, int st)
{
  if (f->context->comm.size > 1) triad_must(&f->context->comm, st);
  return st;
}

/* In steps that are timed apart: wait, and add the time since to a phase. */
static int note(triad_mb_flow *f, enum triad_phase phase, double *since)
{
  if (!f->gpu->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(f->device));
  double now = triad_now();
  f->phases.s[phase] += now - *since;
  *since = now;
  return TRIAD_OK;
}

/* The edges that nothing fills, and temperatures: of all places, or of those that messages have changed. */
static int follow(triad_mb_flow *f, triad_real *const *q, int late)
{
  on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  TRIAD_TRY(triad_mb_gpu_edges((const int(*)[4])g->left, g->n_left, q, stream));
  if (!f->viscosity) return TRIAD_OK;
  return triad_mb_gpu_temperatures(&g->kernel, q, late ? g->late : NULL, late ? g->n_late : g->kernel.memory, stream);
}

/* Halos of primitives that a stage has left. Meanwhile what needs no message: the inner tiles of the stage to come, if
 * any. */
static int surround(triad_mb_flow *f, triad_real *const *q, triad_mb_gpu_stage *next, double *since)
{
  on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  const int messages = f->context->comm.size > 1;
  g->kernel.order = (triad_real)f->order;
  TRIAD_TRY(triad_mb_gpu_boundaries(&g->kernel, q, stream));
  TRIAD_TRY(note(f, TRIAD_PHASE_POINTWISE, since));
  triad_gpu_halo_begin(g->halo, q, TRIAD_MB_FIELDS, stream);
  TRIAD_TRY(follow(f, q, 0));
  if (next && messages) {
    next->when = TRIAD_MB_GPU_EARLY;
    TRIAD_TRY(triad_mb_gpu_sweep(&g->kernel, next, stream));
    next->when = TRIAD_MB_GPU_LATE;
  }
  if (messages) {
    triad_gpu_halo_end(g->halo, stream);
    TRIAD_TRY(follow(f, q, 1));
  }
  return note(f, TRIAD_PHASE_EXCHANGE, since);
}

/* Sums of all tiles, and whether a cell is bad. */
static int fetch(triad_mb_flow *f, int first, int n, double sum[TRIAD_MB_GPU_SUMS])
{
  on_gpu *g = f->gpu;
  double all[TRIAD_MB_GPU_SUMS + 1];
  TRIAD_TRY(triad_mb_gpu_finish(&g->kernel, first, n, triad_device_stream(f->device)));
  TRIAD_TRY(triad_device_get(f->device, all, g->kernel.sum, (int64_t)sizeof all));
  memcpy(sum, all, TRIAD_MB_GPU_SUMS * sizeof *sum);
  int bad;
  memcpy(&bad, all + TRIAD_MB_GPU_SUMS, sizeof bad);
  f->bad = bad;
  f->most = all[TRIAD_MB_GPU_RATE];
  return TRIAD_OK;
}

static int look_at_state(triad_mb_flow *f)
{
  on_gpu *g = f->gpu;
  double sum[TRIAD_MB_GPU_SUMS], since = triad_now();
  const int none = 0;
  TRIAD_TRY(triad_device_put(f->device, g->kernel.bad, &none, (int64_t)sizeof none));
  TRIAD_TRY(triad_mb_gpu_look(&g->kernel, g->u, g->q[g->now], triad_device_stream(f->device)));
  TRIAD_TRY(surround(f, g->q[g->now], NULL, &since));
  return fetch(f, TRIAD_MB_GPU_RATE, 1, sum);
}

static int refresh(triad_mb_flow *f)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  return or_stop(f, look_at_state(f));
}

/* Do local steps find their rates in their first stage, not at the end of the step before? 6 % faster without
 * viscosity, 3 % slower with it (an H100, docs/notebook/blocks.md). */
static int finds_rates_first(const triad_mb_flow *f, double dt) { return !(dt > 0) && !f->viscosity; }

/* Stage k, from the primitives at hand to the others. */
static triad_mb_gpu_stage stage_of(const triad_mb_flow *f, int k, double cfl, double dt)
{
  const on_gpu *g = f->gpu;
  const triad_scheme *s = &f->setup.scheme;
  const int last = k == s->n_stages - 1,
            keeps = !last && g->stage[0] && !(s->stage[k + 1].last <= 0 && s->stage[k + 1].last >= 0);
  triad_mb_gpu_stage p = {.start = (triad_real)s->stage[k].start,
                          .last = (triad_real)s->stage[k].last,
                          .rate = (triad_real)s->stage[k].rate,
                          .cfl = (triad_real)cfl,
                          .dt = (triad_real)dt,
                          .squares = k == 0,
                          .look = last && !f->rates_first,
                          .find = k == 0 && f->rates_first};
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    p.q[m] = g->q[(g->now + k) % 2][m];
    p.next[m] = p.rest[m] = g->q[(g->now + k + 1) % 2][m];
    p.u0[m] = g->u[m];
    p.was[m] = k == 0 ? g->u[m] : g->stage[m];
    p.u[m] = last ? g->u[m] : keeps ? g->stage[m] : NULL;
  }
  return p;
}

static int take_stages(triad_mb_flow *f, double cfl, double dt, double squares[TRIAD_MB_FIELDS])
{
  on_gpu *g = f->gpu;
  const int n = f->setup.scheme.n_stages;
  double sum[TRIAD_MB_GPU_SUMS], since = triad_now();
  f->rates_first = finds_rates_first(f, dt);
  triad_mb_gpu_stage p = stage_of(f, 0, cfl, dt), next;
  g->kernel.order = (triad_real)f->order;
  for (int k = 0; k < n; k++, p = next) {
    TRIAD_TRY(triad_mb_gpu_sweep(&g->kernel, &p, triad_device_stream(f->device)));
    TRIAD_TRY(note(f, TRIAD_PHASE_POINTWISE, &since));
    next = stage_of(f, k + 1 < n ? k + 1 : k, cfl, dt);
    TRIAD_TRY(surround(f, g->q[(g->now + k + 1) % 2], k + 1 < n ? &next : NULL, &since));
  }
  g->now = (g->now + n) % 2;
  TRIAD_TRY(fetch(f, 0, TRIAD_MB_GPU_SUMS, sum));
  memcpy(squares, sum, TRIAD_MB_FIELDS * sizeof *squares);
  return note(f, TRIAD_PHASE_REST, &since);
}

static int take_implicit(triad_mb_flow *f, double cfl, double squares[TRIAD_MB_FIELDS])
{
  on_gpu *g = f->gpu;
  double sum[TRIAD_MB_GPU_SUMS], since = triad_now();
  g->kernel.order = (triad_real)f->order;
  TRIAD_TRY(triad_mb_gpu_implicit(f, cfl / (1 + cfl)));
  TRIAD_TRY(triad_mb_gpu_look(&g->kernel, g->u, g->q[g->now], triad_device_stream(f->device)));
  TRIAD_TRY(note(f, TRIAD_PHASE_POINTWISE, &since));
  TRIAD_TRY(surround(f, g->q[g->now], NULL, &since));
  TRIAD_TRY(fetch(f, 0, TRIAD_MB_GPU_SUMS, sum));
  memcpy(squares, sum, TRIAD_MB_FIELDS * sizeof *squares);
  return note(f, TRIAD_PHASE_REST, &since);
}

static int stages(triad_mb_flow *f, double cfl, double dt, double squares[TRIAD_MB_FIELDS])
{
  return or_stop(f, f->setup.implicit ? take_implicit(f, cfl, squares) : take_stages(f, cfl, dt, squares));
}

static int measure(triad_mb_flow *f, double *energy, double *mass, double *limited)
{
  on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  double sum[TRIAD_MB_GPU_SUMS] = {0}, most = f->most;
  const int64_t bytes = f->n_faces * (int64_t)sizeof(triad_real);
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  int st = triad_mb_gpu_totals(&g->kernel, g->u, g->q[g->now][4], stream);
  if (st == TRIAD_OK) st = triad_mb_gpu_drags(&g->kernel, g->q[g->now], stream);
  if (st == TRIAD_OK) st = fetch(f, TRIAD_MB_GPU_ENERGY, 3, sum);
  for (int m = 0; m < TRIAD_MB_FIELDS && st == TRIAD_OK; m++)
    st = triad_device_get(f->device, f->face_flux[m], g->kernel.face_flux[m], bytes);
  for (int a = 0; a < 3 && st == TRIAD_OK && f->face_drag[a]; a++)
    st = triad_device_get(f->device, f->face_drag[a], g->kernel.face_drag[a], bytes);
  f->most = most;
  *energy = sum[TRIAD_MB_GPU_ENERGY];
  *mass = sum[TRIAD_MB_GPU_MASS];
  *limited = sum[TRIAD_MB_GPU_LIMITED];
  return triad_agree(&f->context->comm, st);
}

static void apart(triad_mb_flow *f, int on) { f->gpu->apart = on; }

static int64_t sent_bytes(const triad_mb_flow *f) { return triad_gpu_halo_bytes(f->gpu->halo, TRIAD_MB_FIELDS); }

static const char *transport(const triad_mb_flow *f) { return triad_gpu_halo_transport(f->gpu->halo); }

extern const triad_mb_gpu_part triad_mb_gpu_table;

const triad_mb_gpu_part triad_mb_gpu_table = {.make = triad_mb_gpu_make,
                                              .drop = triad_mb_gpu_drop,
                                              .refresh = refresh,
                                              .stages = stages,
                                              .measure = measure,
                                              .apart = apart,
                                              .sent_bytes = sent_bytes,
                                              .transport = transport,
                                              .bytes = triad_mb_gpu_bytes};
