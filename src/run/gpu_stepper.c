#include "run/gpu_stepper.h"

#include "run/forcing.h"
#include "run/gpu_modes.h"
#include "solvers/spectral/gpu_set.h"

#include <math.h>
#include <stdlib.h>

struct triad_gpu_stepper {
  triad_flow *flow;
  triad_device *device;
  const triad_scheme *scheme;
  const triad_gpu_set *set;
  const void *law;
  triad_layout *layout; /* one block of all columns */
  triad_gpu_pass *pass;
  triad_gpu_forced *forced;
  triad_cplx *u[TRIAD_GPU_STATE], *q[TRIAD_GPU_STATE], *staging; /* staging: a field on the host, device order */
  int apart;            /* time the update of the modes by itself */
  double update_s;
  double *wx, *wy, *wz;
  int32_t *extent, *kz;
};

static int put_table(triad_gpu_stepper *s, int64_t n, size_t size, const void *host, void **table)
{
  TRIAD_TRY(triad_device_take(s->device, "wavenumbers", n, size, table));
  return triad_device_put(s->device, *table, host, n * (int64_t)size);
}

static int make_tables(triad_gpu_stepper *s)
{
  const triad_layout *l = s->layout;
  TRIAD_TRY(put_table(s, l->lanes, sizeof(double), l->wx, (void **)&s->wx));
  TRIAD_TRY(put_table(s, l->lanes, sizeof(double), l->wy, (void **)&s->wy));
  TRIAD_TRY(put_table(s, l->nkz, sizeof(double), l->wz, (void **)&s->wz));
  TRIAD_TRY(put_table(s, l->lanes, sizeof(int32_t), l->kz_extent, (void **)&s->extent));
  return put_table(s, l->nkz, sizeof(int32_t), l->kz, (void **)&s->kz);
}

const char *triad_gpu_stepper_refusal(const triad_flow *flow)
{
  const void *law;
  if (!flow->equations->gpu || !flow->equations->gpu(flow->self, &law) || flow->shape.n_passes != 1)
    return "these equations, with these keys, have no GPU part so far";
  if (!triad_case_is(flow->given, "forcing.kind", "none") && !triad_case_is(flow->given, "forcing.field", "velocity"))
    return "only the velocity can be forced there so far";
  if (flow->grid.truncation == TRIAD_NONE) return "grid.truncation = \"none\" is for tests on the CPU";
  for (int i = 0; i < 3; i++)
    if (!triad_gpu_has_size(flow->grid.n[i])) return "there is no kernel for this number of points (docs/performance.md)";
  return triad_device_count() > 0 ? NULL : "no GPU is there";
}

static void add_needs(const triad_case *given, const triad_layout *l, const triad_shape *shape, int fused,
                      triad_rank_needs *needs)
{
  int nstreams = (int)triad_case_integer(given, "parallel.nstreams");
  int64_t field = l->modes * (int64_t)sizeof(triad_cplx);
  triad_gpu_pass_needs pass = triad_gpu_pass_count(l, shape->pass[0].n_in, shape->pass[0].n_out, fused, nstreams);
  triad_needs_add(needs, "state", "the fields that are evolved", shape->n_fields * field);
  triad_needs_add(needs, "stepper", "one register", shape->n_fields * field);
  triad_needs_add(needs, "work columns", "every z of this rank's columns", pass.work);
  if (pass.exchange > 0) triad_needs_add(needs, "exchange", "chunks that arrive and leave", pass.exchange);
  triad_needs_add(needs, "planes", "chunks that are computed", pass.planes);
  triad_needs_add(needs, "tables", "rows, wavenumbers, twiddle factors", pass.tables + 20 * (l->lanes + l->nkz));
}

int triad_gpu_stepper_needs(const triad_case *given, int size, triad_rank_needs *needs)
{
  const triad_equations *eq = triad_equations_find(triad_case_word(given, "equations.solver"));
  triad_grid grid;
  triad_shape shape;
  triad_layout *l = NULL;
  const void *law;
  void *self = NULL;
  *needs = (triad_rank_needs){0};
  if (!eq || !eq->gpu || triad_case_is(given, "parallel.device", "cpu") || triad_device_count() == 0) return TRIAD_OK;
  TRIAD_TRY(triad_flow_grid(given, &grid));
  int st = eq->create(&self, &shape, &grid, given);
  const triad_gpu_set *set = st == TRIAD_OK ? eq->gpu(self, &law) : NULL;
  /* the last rank never has less than another */
  if (set && grid.truncation != TRIAD_NONE) st = triad_gpu_layout_create(&l, &grid, size - 1, size);
  if (st == TRIAD_OK && l) add_needs(given, l, &shape, set->rows != NULL, needs);
  triad_layout_destroy(&l);
  if (self) eq->destroy(&self);
  return st;
}

static int make(triad_gpu_stepper *s)
{
  triad_flow *flow = s->flow;
  const triad_shape *shape = &flow->shape;
  s->set = flow->equations->gpu ? flow->equations->gpu(flow->self, &s->law) : NULL;
  if (!s->set || shape->n_passes != 1 || s->scheme->split)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.device = \"gpu\": solver %s with these keys runs on the CPU only so far",
                      flow->equations->name);
  TRIAD_TRY(triad_gpu_layout_create(&s->layout, &flow->grid, flow->context->comm.rank, flow->context->comm.size));
  for (int f = 0; f < shape->n_fields; f++) {
    TRIAD_TRY(triad_device_take(s->device, "state", s->layout->modes, sizeof **s->u, (void **)&s->u[f]));
    TRIAD_TRY(triad_device_take(s->device, "stepper", s->layout->modes, sizeof **s->q, (void **)&s->q[f]));
  }
  TRIAD_TRY(TRIAD_TAKE(flow->context->memory, "staging", s->layout->modes, &s->staging));
  TRIAD_TRY(make_tables(s));
  return triad_gpu_forced_create(&s->forced, s->device, flow, s->layout);
}

static int make_pass(triad_gpu_stepper *s)
{
  const triad_shape *shape = &s->flow->shape;
  triad_gpu_pass_options options = {(int)triad_case_integer(s->flow->given, "parallel.nstreams"),
                                    triad_case_word(s->flow->given, "parallel.transport")};
  return triad_gpu_pass_create(&s->pass, s->flow->context, s->device, s->layout, shape->pass[0].n_in,
                               shape->pass[0].n_out, s->set->rows != NULL, &options);
}

int triad_gpu_stepper_create(triad_gpu_stepper **out, triad_flow *flow, const triad_scheme *scheme)
{
  triad_gpu_stepper *s = *out = calloc(1, sizeof *s);
  TRIAD_TRY(triad_agree(&flow->context->comm, s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPU stepper")));
  s->flow = flow;
  s->device = flow->device;
  s->scheme = scheme;
  int st = triad_agree(&flow->context->comm, make(s));
  if (st == TRIAD_OK) st = make_pass(s);
  if (st != TRIAD_OK) triad_gpu_stepper_destroy(out);
  return st;
}

void triad_gpu_stepper_destroy(triad_gpu_stepper **stepper)
{
  if (!stepper || !*stepper) return;
  triad_gpu_stepper *s = *stepper;
  void **taken[] = {(void **)&s->wx, (void **)&s->wy, (void **)&s->wz, (void **)&s->extent, (void **)&s->kz};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_give(s->device, taken[i]);
  for (int f = 0; f < TRIAD_GPU_STATE; f++) {
    triad_device_give(s->device, (void **)&s->u[f]);
    triad_device_give(s->device, (void **)&s->q[f]);
  }
  triad_gpu_forced_destroy(&s->forced);
  TRIAD_GIVE(s->flow->context->memory, &s->staging);
  triad_gpu_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
  free(s);
  *stepper = NULL;
}

int triad_gpu_stepper_upload(triad_gpu_stepper *s)
{
  const triad_layout *host = s->flow->layout, *device = s->layout;
  for (int f = 0; f < s->flow->shape.n_fields; f++) {
#pragma omp parallel for schedule(static) num_threads(s->flow->context->threads)
    for (int64_t j = 0; j < host->nkz; j++)
      for (int64_t c = 0; c < host->n_columns; c++)
        s->staging[triad_layout_place(device, c, j)] = s->flow->u[f][triad_layout_place(host, c, j)];
    TRIAD_TRY(triad_device_put(s->device, s->u[f], s->staging, device->modes * (int64_t)sizeof(triad_cplx)));
  }
  return TRIAD_OK;
}

int triad_gpu_stepper_download(triad_gpu_stepper *s)
{
  const triad_layout *host = s->flow->layout, *device = s->layout;
  for (int f = 0; f < s->flow->shape.n_fields; f++) {
    TRIAD_TRY(triad_device_get(s->device, s->staging, s->u[f], device->modes * (int64_t)sizeof(triad_cplx)));
#pragma omp parallel for schedule(static) num_threads(s->flow->context->threads)
    for (int64_t j = 0; j < host->nkz; j++)
      for (int64_t c = 0; c < host->n_columns; c++)
        s->flow->u[f][triad_layout_place(host, c, j)] = s->staging[triad_layout_place(device, c, j)];
  }
  return TRIAD_OK;
}

static triad_gpu_update update_of(const triad_gpu_stepper *s, int stage, double dt, double tau)
{
  const triad_stage *g = &s->scheme->stage[stage];
  triad_gpu_update p = {.modes = s->layout->modes, .columns = s->layout->lanes, .wx = s->wx, .wy = s->wy, .wz = s->wz,
                        .extent = s->extent, .kz = s->kz, .a = g->a, .b = g->b * dt, .d = g->d, .e = g->e * dt,
                        .tau = tau, .first = stage == 0, .last = stage == s->scheme->n_stages - 1};
  p.results = triad_gpu_pass_result(s->pass, &p.stride);
  for (int f = 0; f < s->flow->shape.n_fields; f++) {
    triad_decay d = s->flow->equations->decay(s->flow->self, f);
    p.u[f] = s->u[f];
    p.q[f] = s->q[f];
    p.decay[f] = (triad_gpu_decay){d.viscosity, d.hyperviscosity, d.drag, d.drag_wavenumber, d.order};
  }
  return p;
}

void triad_gpu_stepper_apart(triad_gpu_stepper *s, int apart)
{
  s->apart = apart;
  triad_gpu_pass_apart(s->pass, apart);
}

triad_phases triad_gpu_stepper_phases(triad_gpu_stepper *s)
{
  triad_phases phases = triad_gpu_pass_phases(s->pass);
  phases.s[TRIAD_PHASE_POINTWISE] += s->update_s;
  s->update_s = 0;
  return phases;
}

triad_gpu_traffic triad_gpu_stepper_traffic(const triad_gpu_stepper *s)
{
  triad_gpu_chunks chunks = triad_gpu_pass_chunks(s->pass);
  return (triad_gpu_traffic){triad_gpu_pass_transport(s->pass), chunks.depth, chunks.count, triad_gpu_pass_sent(s->pass)};
}

int triad_gpu_stepper_transports(triad_context *context, const char **names, int *n)
{
  triad_device *device = NULL;
  *n = 0;
  TRIAD_TRY(triad_agree(&context->comm, triad_device_create(&device, context->gpu)));
  int st = triad_gpu_exchange_transports(context, device, names, n);
  triad_device_destroy(&device);
  return st;
}

static int update_modes(triad_gpu_stepper *s, const triad_gpu_update *update)
{
  if (update->modes == 0) return TRIAD_OK;
  double begin = triad_now();
  TRIAD_TRY(s->set->update(s->law, update, triad_device_stream(s->device)));
  if (!s->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(s->device));
  s->update_s += triad_now() - begin;
  return TRIAD_OK;
}

/* One reduction for blow-up, stop requests and the advection rate that dt follows from. */
static int share(const triad_gpu_stepper *s, triad_step *step)
{
  double rate = 0;
  TRIAD_TRY(triad_gpu_pass_peak(s->pass, &rate));
  double mine[2] = {isfinite(rate) ? rate : INFINITY, step->request}, all[2];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, s->flow->context->comm.mpi)));
  step->advection_rate = all[0];
  step->requested = (int)all[1];
  return isfinite(all[0]) ? TRIAD_OK : TRIAD_ERR_BLOWUP;
}

static int advance(triad_gpu_stepper *s, triad_step *step, triad_choose_dt *choose, double *dt)
{
  triad_flow *flow = s->flow;
  triad_gpu_job job = {.n_in = flow->shape.pass[0].n_in, .n_out = flow->shape.pass[0].n_out,
                       .in = (const triad_cplx *const *)s->u, .law = s->law, .points = s->set->points,
                       .rows = s->set->rows};
  for (int stage = 0; stage < s->scheme->n_stages; stage++) {
    const triad_stage *g = &s->scheme->stage[stage];
    double next = stage + 1 < s->scheme->n_stages ? g[1].c : 1;
    TRIAD_TRY(triad_gpu_forced_prepare(s->forced, s->u));
    /* dt follows from the step's own start alone, so that a resumed run takes the same steps */
    if (stage == 0) TRIAD_TRY(triad_gpu_pass_forget(s->pass));
    TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
    if (stage == 0) {
      TRIAD_TRY(share(s, step));
      *dt = choose(flow, step);
    }
    double tau = (next - g->c) * *dt;
    triad_gpu_update update = update_of(s, stage, *dt, tau);
    TRIAD_TRY(update_modes(s, &update));
    TRIAD_TRY(triad_gpu_forced_add(s->forced, s->u, tau, g->b * *dt));
    if (!update.last) TRIAD_TRY(triad_gpu_forced_add(s->forced, s->q, tau, g->e * *dt));
  }
  TRIAD_TRY(triad_gpu_forced_kick(s->forced, s->u, *dt));
  return triad_device_wait(s->device);
}

int triad_gpu_stepper_advance(triad_gpu_stepper *s, triad_step *step, triad_choose_dt *choose, double *dt)
{
  const triad_comm *comm = &s->flow->context->comm;
  int st = advance(s, step, choose, dt);
  /* what all ranks meet alike; anything else others may not know of */
  if (st == TRIAD_OK || st == TRIAD_ERR_BLOWUP || st == TRIAD_ERR_CASE || comm->size == 1) return st;
  triad_message_print(comm->rank);
  (void)MPI_Abort(comm->mpi, st);
  return st;
}
