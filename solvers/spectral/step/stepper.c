/* Advance a flow by the stages of its scheme on CPUs, and choose the length of a step. */
#include "solvers/spectral/step/stepper_internal.h"
#include "solvers/spectral/step/coupled.h"
#include "solvers/spectral/step/evaluate.h"
#include "solvers/spectral/step/factors.h"
#include "solvers/spectral/step/ways.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/equations/stage_points.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/plain/forcing_at.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/plain/shifts.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/relax_points.h"
#include "solvers/spectral/shear/shear.h"
#include "solvers/spectral/step/plain/courant.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

int triad_stepper_stages(const triad_stepper *s) { return s->scheme->n_stages; }

triad_cplx *const *triad_stepper_register(const triad_stepper *s) { return s->q; }

struct triad_gpu_stepper *triad_stepper_gpu(const triad_stepper *s) { return s->gpu; }

void triad_stepper_traffic(const triad_stepper *s, double passes, triad_costs *costs)
{
  s->way->traffic(s, passes, costs);
}

triad_phases triad_stepper_phases(const triad_stepper *s) { return s->way->phases(s); }

void triad_stepper_apart(const triad_stepper *s, int apart) { s->way->apart(s, apart); }

void triad_stepper_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log)
{
  s->way->describe(s, devices, log);
}

static const triad_step_way on_host, on_gpu, through_gpu; /* below */

static int take_register(triad_stepper *s)
{
  const triad_flow *flow = s->now.flow;
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(triad_row_work_create(&s->rows, flow));
  TRIAD_TRY(TRIAD_ALLOC(m, "stepper", flow->shape.n_fields, &s->q));
  for (int f = 0; f < flow->shape.n_fields; f++) TRIAD_TRY(TRIAD_ALLOC(m, "stepper", flow->layout->modes, &s->q[f]));
  return TRIAD_OK;
}

int triad_stepper_create(triad_stepper **out, triad_flow *flow, const triad_scheme *scheme)
{
  *out = NULL;
  triad_stepper *s = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the stepper");
  if (s) {
    s->now.flow = flow;
    s->way = flow->offload ? &through_gpu : flow->device ? &on_gpu : &on_host;
    s->scheme = scheme;
    s->random = triad_shifts_of(&flow->grid, flow->given) == TRIAD_SHIFTS_RANDOM;
    s->now.shift = s->random ? s->shift : NULL;
    s->now.force = triad_forcing_has_rates(flow->forcing) ? flow->forcing : NULL;
    s->now.relaxation = flow->relaxation;
    st = triad_factors_create(&s->factors, flow);
    if (st == TRIAD_OK) st = triad_coupling_create(&s->coupling, flow, s->way == &on_host);
    if (st == TRIAD_OK && s->way->where == TRIAD_HOST && scheme->form == TRIAD_SCHEME_REGISTER) st = take_register(s);
    if (st == TRIAD_OK && scheme->form == TRIAD_SCHEME_SPLIT && !flow->equations->split)
      st = TRIAD_FAIL(TRIAD_ERR_CASE, "time.scheme = \"%s\" is not available in solver %s: use rk2, rk3 or rk4",
                      scheme->word.name, flow->equations->name);
  }
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK && s->way->create) st = s->way->create(s, flow);
  if (st != TRIAD_OK) triad_stepper_destroy(&s);
  *out = s;
  return st;
}

void triad_stepper_destroy(triad_stepper **stepper)
{
  if (!stepper || !*stepper) return;
  triad_stepper *s = *stepper;
  triad_memory *m = s->now.flow->context->memory;
  s->way->destroy(s); /* before the register, which it may use */
  for (int f = 0; s->q && f < s->now.flow->shape.n_fields; f++) TRIAD_FREE(m, &s->q[f]);
  TRIAD_FREE(m, &s->q);
  triad_row_work_destroy(&s->rows, s->now.flow);
  triad_factors_destroy(&s->factors);
  triad_coupling_destroy(&s->coupling);
  free(s);
  *stepper = NULL;
}

/* The stage of one row of one field: eq. (10). First stage: q holds nothing yet; last: nobody reads it. */
static void advance_row(const triad_stepper *s, const triad_real *e, const triad_cplx *n, triad_cplx *u, triad_cplx *q)
{
  const triad_stage *g = &s->scheme->stage[s->stage];
  triad_real a = (triad_real)g->a, b = (triad_real)(g->b * s->dt), d = (triad_real)g->d,
             en = (triad_real)(g->e * s->dt);
  if (s->stage == 0) {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++) {
      q[i] = (triad_cplx){e[i] * (en * n[i].re), e[i] * (en * n[i].im)};
      u[i] = (triad_cplx){triad_stage_first(e[i], b, u[i].re, n[i].re), triad_stage_first(e[i], b, u[i].im, n[i].im)};
    }
  } else if (s->stage == s->scheme->n_stages - 1) {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++)
      u[i] = (triad_cplx){triad_stage_state(e[i], a, b, u[i].re, q[i].re, n[i].re),
                          triad_stage_state(e[i], a, b, u[i].im, q[i].im, n[i].im)};
  } else {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++) {
      triad_cplx was = q[i];
      q[i] = (triad_cplx){triad_stage_register(e[i], d, en, was.re, n[i].re),
                          triad_stage_register(e[i], d, en, was.im, n[i].im)};
      u[i] = (triad_cplx){triad_stage_state(e[i], a, b, u[i].re, was.re, n[i].re),
                          triad_stage_state(e[i], a, b, u[i].im, was.im, n[i].im)};
    }
  }
}

static void sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const triad_stepper *s = self;
  const triad_equations *eq = s->now.flow->equations;
  const triad_layout *l = block->layout;
  const int32_t *extent = l->kz_extent + block->block * TRIAD_LANES;
  const triad_shape *shape = &s->now.flow->shape;
  triad_row_work *rows = &s->rows[omp_get_thread_num()];
  const int n_own = triad_shape_left(shape, s->now.pass), n_forced = triad_forcing_results(s->now.force),
            n_all = n_own + n_forced + triad_relaxation_left(s->now.relaxation);
  triad_lane_row *n = rows->rates;
  triad_real e[TRIAD_LANES];
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = triad_row_work_find(rows, s->now.flow, block, j, n_all, results);
    if (s->now.relaxation) triad_relaxation_hold(s->now.relaxation, s->now.flow, block, j, results);
    eq->rates(s->now.flow->self, block, j, rows->u, rows->results, n);
    triad_closure_rates(s->now.flow->closure, at, rows->u, n);
    for (int i = 0; i < s->now.n_observers; i++)
      if (s->now.observer[i]->row) s->now.observer[i]->row(s->now.observer[i]->self, block, j, rows->u, rows->results);
    if (s->now.force) triad_forcing_rates(s->now.force, s->now.flow, block, j, rows->u, rows->results + n_own, n);
    if (s->now.relaxation)
      triad_relaxation_rates(s->now.relaxation, s->now.flow, block, j, rows->results + n_own + n_forced, n);
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    triad_particles_keep(s->now.flow->particles, block, j, at, n);
    for (int f = 0; f < shape->n_fields; f++) {
      for (int i = 0; i < TRIAD_LANES; i++)
        if (kz > extent[i]) n[f][i] = (triad_cplx){0, 0};
      triad_factors_row(s->factors, f, block->block, j, e);
      advance_row(s, e, n[f], s->now.flow->u[f] + at, s->q[f] + at);
    }
    triad_factors_turn(s->factors, block->block, j, s->now.flow->u[0] + at, s->now.flow->u[1] + at);
    triad_coupling_row(s->coupling, at, s->now.flow->u);
    if (s->stage == s->scheme->n_stages - 1) continue;
    triad_factors_turn(s->factors, block->block, j, s->q[0] + at, s->q[1] + at);
    triad_coupling_row(s->coupling, at, s->q);
  }
}

/* The part of the stability limit on the real axis that a closure uses: nu_t changes within a step. */
static const double CLOSURE_PART = 0.8;

/* Limits become powers of 2^(1/16), so that the matrices of coupled fields serve many steps. */
static void even_out(triad_step_limits *limits)
{
  for (int i = 0; i < limits->n; i++)
    if (isfinite(limits->row[i].dt)) limits->row[i].dt = exp2(floor(16 * log2(limits->row[i].dt)) / 16);
}

/* A wave that the flow carries has the frequency k.u + omega: the rates add up (docs/methods/time-steps.md). */
double triad_stepper_choose(const triad_flow *flow, triad_step *step)
{
  triad_step_limits limits = {0};
  const triad_equations *eq = flow->equations;
  const double advection = step->advection_rate, shear = fabs(triad_shear_rate(flow->shear)),
               waves = (eq->frequency ? eq->frequency(flow->self) : 0) + shear;
  const double reach = triad_scheme_reach(flow->stepper->scheme), both = eq->turn ? advection : advection + waves;
  /* infinite at rest */
  const char *fastest = waves > advection && !eq->turn ? 2 * shear > waves ? "mean shear" : "waves" : "advection";
  triad_step_limit(&limits, fastest, step->cfl / both);
  if (eq->turn) triad_step_limit(&limits, "waves", step->cfl / waves);
  if (eq->longest)
    triad_step_limit(&limits, "resonance of waves with the step", eq->longest(flow->self, flow->stepper->scheme));
  triad_step_limit(&limits, "forcing", triad_forcing_dt(flow->forcing, step->cfl));
  triad_step_limit(&limits, "bodies and sponges", triad_relaxation_longest(flow->relaxation, flow->stepper->scheme));
  triad_step_limit(&limits, "particles", triad_particles_dt(flow->particles, step->cfl));
  const double viscous =
    flow->stepper->scheme->real_axis / triad_closure_rate(flow->closure); /* infinite without one */
  triad_step_limit(&limits, "eddy viscosity", CLOSURE_PART * viscous);
  if (flow->stepper->coupling) even_out(&limits);
  if (eq->turn) step->bound = eq->longest ? eq->longest(flow->self, flow->stepper->scheme) : 0;
  else step->bound = reach > 0 ? reach / (triad_stepper_angle(&flow->grid) * advection + waves) : 0;
  if (isfinite(viscous) && (!(step->bound > 0) || step->bound > viscous)) step->bound = viscous;
  return triad_step_length(step, flow->at.t, &limits);
}

int triad_stepper_share(const triad_flow *flow, triad_step *step, double rate)
{
  double mine[2] = {isnan(rate) ? INFINITY : rate, step->request}, all[2];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
  if (isinf(all[0]) && all[0] > 0) return TRIAD_ERR_BLOWUP;
  step->advection_rate = all[0];
  step->requested = (int)all[1];
  return TRIAD_OK;
}

/* Once a pass, between physical and spectral space. */
static int settle_step(void *self, const double *peaks)
{
  triad_stepper *s = self;
  const int last = s->now.pass == s->now.flow->shape.n_passes - 1;
  TRIAD_TRY(triad_forcing_good(s->now.force, s->now.flow));
  TRIAD_TRY(triad_closure_settle(s->now.flow, s->stage == 0 ? peaks : NULL));
  if (last) TRIAD_TRY(triad_relaxation_settle(s->now.relaxation, s->now.flow));
  if (s->stage == 0 && s->now.pass == 0) {
    TRIAD_TRY(triad_stepper_share(s->now.flow, s->step, peaks[TRIAD_PEAK_ADVECTION]));
    s->dt = triad_stepper_choose(s->now.flow, s->step);
  }
  if (last) triad_relaxation_stage(s->now.relaxation, s->scheme, s->stage, s->dt);
  for (int i = 0; i < s->now.n_observers; i++)
    if (s->now.observer[i]->settle)
      s->now.observer[i]->settle(s->now.observer[i]->self, peaks + TRIAD_PEAKS - TRIAD_OBSERVER_PEAKS);
  s->tau = triad_stepper_tau(s->scheme, s->stage, s->dt);
  triad_factors_set(s->factors, s->tau, triad_shear_rate(s->now.flow->shear) * s->tau);
  triad_coupling_set(s->coupling, s->tau);
  return TRIAD_OK;
}

static int run_pass_here(triad_stepper *s, int pass)
{
  const triad_work own = {.source = triad_evaluation_source, .settle = settle_step, .sink = sink};
  return triad_evaluation_run(&s->now, pass, &own);
}

static int run_pass_through(triad_stepper *s, int pass)
{
  const triad_gpu_offload_step step = {s->stage, pass, &s->dt, &s->tau, s->now.shift, settle_step, s};
  s->now.pass = pass;
  return triad_spectral_gpu->offload->pass(s->offload, &step);
}

static int advance_stages(triad_stepper *s, triad_flow *flow)
{
  if (s->random) triad_shift_of_step(flow->at.step, s->shift);
  TRIAD_TRY(triad_closure_begin(flow));
  for (s->stage = 0; s->stage < s->scheme->n_stages; s->stage++) {
    const triad_stage *g = &s->scheme->stage[s->stage];
    /* the first is at the start, whatever dt will be */
    TRIAD_TRY(triad_forcing_at(flow->forcing, flow, flow->at.t + g->c * s->dt, s->stage == 0));
    TRIAD_TRY(triad_forcing_prepare(flow->forcing, flow));
    if (flow->equations->at) flow->equations->at(flow->self, flow->at.t + (s->stage == 0 ? 0 : g->c * s->dt));
    if (s->stage > 0) TRIAD_TRY(triad_shear_at(flow->shear, flow, flow->at.t + g->c * s->dt));
    TRIAD_TRY(triad_relaxation_at(flow->relaxation, flow, flow->at.t + g->c * s->dt, s->stage == 0));
    s->now.n_observers = 0;
    TRIAD_TRY(triad_particles_prepare(flow->particles, &s->now.observer[0]));
    if (s->now.observer[0]) s->now.n_observers++;
    for (int pass = 0; pass < flow->shape.n_passes; pass++) TRIAD_TRY(s->way->pass(s, pass));
    TRIAD_TRY(triad_particles_advance(flow->particles, s->scheme, s->stage, s->dt));
    /* eq. (10) is linear in N, and few modes are forced: their share is added where it acts */
    triad_forcing_add(flow->forcing, flow->u, s->tau, g->b * s->dt);
    if (s->stage < s->scheme->n_stages - 1) triad_forcing_add(flow->forcing, s->q, s->tau, g->e * s->dt);
  }
  return TRIAD_OK;
}

/* Strang 1968, SIAM J. Numer. Anal. 5, 506: half a step of the linear part, the nonlinear one at each point, half a
 * step of the linear part, each of them exact (docs/methods/time-steps.md eq. 21). */
static void split_source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_stepper *s = self;
  const triad_layout *l = block->layout;
  for (int f = 0; f < s->now.flow->shape.n_fields; f++) triad_batch_put(block, s->now.flow->u[f], in[f]);
  for (int64_t j = 0; j < l->nkz; j++)
    triad_factors_turn(s->factors, block->block, j, triad_batch_row(block, in[0], j), triad_batch_row(block, in[1], j));
}

static void split_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                         double *peaks)
{
  const triad_stepper *s = self;
  s->now.flow->equations->split(s->now.flow->self, s->dt, at, in, out, peaks);
}

static int split_settle(void *self, const double *peaks)
{
  const triad_stepper *s = self;
  return triad_stepper_share(s->now.flow, s->step, peaks[TRIAD_PEAK_ADVECTION]);
}

static void split_sink(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const triad_stepper *s = self;
  const triad_layout *l = block->layout;
  for (int64_t j = 0; j < l->nkz; j++)
    triad_factors_turn(s->factors, block->block, j, triad_batch_row(block, results[0], j),
                       triad_batch_row(block, results[1], j));
  for (int f = 0; f < s->now.flow->shape.n_fields; f++) triad_batch_keep(block, results[f], s->now.flow->u[f]);
}

static int split_here(triad_stepper *s, triad_flow *flow)
{
  triad_work work = {.n_in = flow->shape.n_fields,
                     .n_out = flow->shape.n_fields,
                     .source = split_source,
                     .points = split_points,
                     .settle = split_settle,
                     .sink = split_sink,
                     .any_order = 1,
                     .self = s};
  triad_factors_set(s->factors, s->dt / 2, 0);
  return triad_pass_run(flow->pass, &work);
}

static int split_through(triad_stepper *s, triad_flow *flow)
{
  const triad_gpu_offload_step step = {0, 0, &s->dt, &s->tau, NULL, split_settle, s};
  (void)flow;
  return triad_spectral_gpu->offload->pass(s->offload, &step);
}

/* Particles go with the velocity before it and after it. */
static int advance_split(triad_stepper *s, triad_flow *flow)
{
  const triad_observer *none;
  s->step->advection_rate = 0; /* the step must be known before the points are visited */
  s->dt = triad_stepper_choose(flow, s->step);
  TRIAD_TRY(triad_particles_prepare(flow->particles, &none));
  TRIAD_TRY(triad_particles_advance(flow->particles, &triad_particles_about, 0, s->dt));
  TRIAD_TRY(s->way->split(s, flow));
  TRIAD_TRY(triad_particles_prepare(flow->particles, &none));
  return triad_particles_advance(flow->particles, &triad_particles_about, 1, s->dt);
}

/* ---- ways ---- */

static int advance_here(triad_stepper *s, triad_flow *flow)
{
  TRIAD_TRY(s->scheme->form == TRIAD_SCHEME_SPLIT ? advance_split(s, flow) : advance_stages(s, flow));
  return triad_forcing_kick(flow->forcing, flow, s->dt);
}

static const triad_step_way on_host = {.where = TRIAD_HOST,
                                       .destroy = triad_way_host_destroy,
                                       .advance = advance_here,
                                       .pass = run_pass_here,
                                       .split = split_here,
                                       .traffic = triad_way_host_traffic,
                                       .phases = triad_way_host_phases,
                                       .apart = triad_way_host_apart,
                                       .describe = triad_way_host_describe};

static const triad_step_way on_gpu = {.where = TRIAD_DEVICE,
                                      .create = triad_way_gpu_create,
                                      .destroy = triad_way_gpu_destroy,
                                      .advance = triad_way_gpu_advance,
                                      .traffic = triad_way_gpu_traffic,
                                      .phases = triad_way_gpu_phases,
                                      .apart = triad_way_gpu_apart,
                                      .describe = triad_way_gpu_describe};

static const triad_step_way through_gpu = {.where = TRIAD_HOST,
                                           .create = triad_way_offload_create,
                                           .destroy = triad_way_offload_destroy,
                                           .advance = advance_here,
                                           .pass = run_pass_through,
                                           .split = split_through,
                                           .traffic = triad_way_offload_traffic,
                                           .phases = triad_way_offload_phases,
                                           .apart = triad_way_offload_apart,
                                           .describe = triad_way_offload_describe};

int triad_stepper_advance(triad_stepper *s, triad_flow *flow, triad_step *step)
{
  s->step = step;
  TRIAD_TRY(triad_state_write_all(flow->state, s->way->where));
  TRIAD_TRY(triad_shear_begin(flow->shear, flow));
  TRIAD_TRY(s->way->advance(s, flow));
  triad_step_done(&flow->at, step, s->dt);
  return triad_shear_end(flow->shear, flow, s->q); /* a step does not read the old values of its register */
}
