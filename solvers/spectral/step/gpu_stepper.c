/* Advance a state in GPU memory: allocation, passes, stages, and copies to and from the host. */
#include "solvers/spectral/step/gpu_stepper_internal.h"
#include "solvers/spectral/step/gpu_needs.h"
#include "solvers/spectral/step/gpu_stage.h"
#include "solvers/spectral/step/gpu_fastest.h"
#include "solvers/spectral/step/gpu_joined.h"
#include "solvers/spectral/step/gpu_recorded.h"
#include "solvers/spectral/gpu_part.h"
#include "parallel/fibers.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/plain/forcing_at.h"
#include "solvers/spectral/force/gpu_modes.h"
#include "solvers/spectral/particles/gpu_stages.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/force/gpu_formula.h"
#include "solvers/spectral/plain/shifts.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/relax/relax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGING_BYTES = 64 << 20 };

/* Allocate the state, the registers and the set's saved fields. */
static int take_fields(triad_gpu_stepper *s)
{
  const int64_t modes = s->layout->modes;
  triad_memory *m = s->flow->context->memory;
  int all = s->n + s->set->extras;
  TRIAD_TRY(TRIAD_ALLOC(m, "GPU fields", all, &s->u));
  TRIAD_TRY(TRIAD_ALLOC(m, "GPU fields", s->n, &s->q));
  TRIAD_TRY(TRIAD_ALLOC(m, "GPU fields", s->n, &s->decay));
  for (int f = 0; f < all; f++)
    TRIAD_TRY(
      triad_device_alloc(s->device, f < s->n ? "state" : "observed fields", modes, sizeof **s->u, (void **)&s->u[f]));
  for (int f = 0; f < s->n; f++) {
    TRIAD_TRY(triad_device_alloc(s->device, "stepper", modes, sizeof **s->q, (void **)&s->q[f]));
    s->decay[f] = triad_forcing_decay(s->flow, f);
  }
  if (s->set->keeps > 0)
    TRIAD_TRY(triad_device_alloc(s->device, "values at points", s->set->keeps * triad_layout_points(s->layout),
                                 sizeof *s->kept, (void **)&s->kept));
  if (s->set->inputs) {
    const int n_in = s->flow->shape.pass[0].n_in;
    TRIAD_TRY(TRIAD_ALLOC(m, "GPU fields", n_in, &s->in));
    for (int i = 0; i < n_in; i++) s->in[i] = s->u[s->set->inputs[i]];
  }
  s->staged = STAGING_BYTES / ((s->layout->lanes + 1) * (int64_t)sizeof *s->staging) + 1;
  if (s->staged > s->layout->nkz) s->staged = s->layout->nkz;
  return TRIAD_ALLOC(m, "staging", s->staged * s->layout->lanes, &s->staging);
}

/* Room for sums over modes and what comes of them. */
static int take_sums(triad_gpu_stepper *s)
{
  const triad_flow *flow = s->flow;
  s->out_size = triad_gpu_stepper_sums(flow->given, &flow->grid, &flow->shape);
  TRIAD_TRY(triad_device_alloc(s->device, "sums", TRIAD_GPU_PARTIALS, sizeof *s->partial, (void **)&s->partial));
  TRIAD_TRY(triad_device_alloc(s->device, "sums", 3 * TRIAD_SCHEME_STAGES, sizeof *s->recorded.lengths,
                               (void **)&s->recorded.lengths));
  return triad_device_alloc(s->device, "sums", s->out_size, sizeof *s->out, (void **)&s->out);
}

const triad_cplx *const *triad_gpu_stepper_inputs(const triad_gpu_stepper *s, int pass)
{
  if (pass > 0) return (const triad_cplx *const *)(s->u + s->n);
  return s->in ? s->in : (const triad_cplx *const *)s->u;
}

static int create_parts(triad_gpu_stepper *s)
{
  triad_flow *flow = s->flow;
  s->set = triad_equations_gpu(flow->equations, flow->self);
  s->law = flow->self;
  if (!s->set || (s->scheme->form == TRIAD_SCHEME_SPLIT && !s->set->split))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.device = \"gpu\": solver %s does not support time.scheme = \"%s\" on GPUs: use another "
                      "scheme, or parallel.device = \"cpu\"",
                      flow->equations->name, s->scheme->word.name);
  s->n = flow->shape.n_fields;
  TRIAD_TRY(triad_gpu_layout_create(&s->layout, &flow->grid, flow->context->comm.rank, flow->context->comm.size,
                                    flow->layout->group));
  TRIAD_TRY(take_fields(s));
  if (s->set->prepare) TRIAD_TRY(s->set->prepare(flow->self, s->device, s->layout, 1, flow->context->threads));
  TRIAD_TRY(triad_gpu_modes_alloc(&s->state.modes, s->device, s->layout));
  TRIAD_TRY(take_sums(s));
  TRIAD_TRY(triad_gpu_forced_create(&s->forced, s->device, flow, s->layout));
  TRIAD_TRY(triad_gpu_closure_create(&s->closure, s->device, flow, s->layout->modes, s->law));
  TRIAD_TRY(triad_gpu_relaxation_create(&s->relaxation, s->device, flow, s->layout));
  return triad_gpu_formulas_create(&s->formulas, s->device, flow, s->layout, s->set->pass[0], s->law);
}

triad_gpu_job triad_gpu_stepper_job(const triad_gpu_stepper *s, int pass, const triad_cplx *const *in)
{
  const triad_shape *shape = &s->flow->shape;
  return (triad_gpu_job){.n_in = shape->pass[pass].n_in - triad_closure_inputs(s->flow->closure),
                         .n_out = shape->pass[pass].n_out,
                         .chains = shape->pass[pass].chains,
                         .in = in,
                         .visit = s->set->pass[pass],
                         .law = s->law,
                         .kept = s->kept};
}

/* Compile kernels before the first step rather than within it. */
static int prepare(triad_gpu_stepper *s)
{
  if (s->scheme->form == TRIAD_SCHEME_SPLIT) TRIAD_TRY(triad_gpu_pass_prepare(s->pass, s->set->split, s->law, s->n, 0));
  for (int i = 0; i < s->set->n_passes; i++)
    TRIAD_TRY(triad_gpu_pass_prepare(s->pass, s->set->pass[i], s->law, triad_gpu_stepper_job(s, i, NULL).n_in,
                                     s->set->prepare != NULL));
  const double nothing[3] = {0, 0, 0};
  return s->flow->equations->extremes ? triad_gpu_pass_prepare(s->pass, triad_gpu_extremes, nothing, 3, 0) : TRIAD_OK;
}

static int make_pass(triad_gpu_stepper *s)
{
  int most_in, most_out;
  triad_gpu_pass_options options = triad_gpu_stepper_options(s->flow->given, &s->flow->grid);
  triad_gpu_job first = triad_gpu_stepper_job(s, 0, triad_gpu_stepper_inputs(s, 0));
  triad_shape_most(&s->flow->shape, &most_in, &most_out, &options.most_left);
  const int relaxed = triad_relaxation_count(s->flow->relaxation);
  most_out += triad_forcing_results(s->flow->forcing) + relaxed;
  options.most_left += triad_forcing_results(s->flow->forcing) + relaxed;
  int row_fields = triad_gpu_formulas_rows_of(s->formulas, s->set->row_fields);
  row_fields = triad_gpu_formulas_rows(&s->flow->shape, relaxed + (s->closure != NULL), row_fields);
  triad_gpu_race race = {s->flow->context, s->device, s->layout, most_in, most_out, row_fields, options, &first};
  if (strcmp(options.transport, "auto") == 0) TRIAD_TRY(triad_gpu_fastest(&race, &options.transport, s->times));
  TRIAD_TRY(
    triad_gpu_pass_create(&s->pass, s->flow->context, s->device, s->layout, most_in, most_out, row_fields, &options));
  TRIAD_TRY(triad_agree(&s->flow->context->comm, prepare(s)));
  s->state.device = s->device;
  s->state.pass = s->pass;
  s->state.n_fields = s->n;
  s->state.u = s->u;
  s->state.scratch = s->q;
  s->state.kept = s->kept;
  s->state.partial = s->partial;
  s->state.out = s->out;
  s->can_join = triad_gpu_joined_can(s);
  return TRIAD_OK;
}

/* Rows first .. first + count - 1 of a field: [j][column] on the device, blocks of lanes on the host. */
static int stage_rows(triad_gpu_stepper *s, int f, int64_t first, int64_t count, int up)
{
  const triad_layout *host = s->flow->layout, *device = s->layout;
  int64_t row = device->lanes, bytes = count * row * (int64_t)sizeof(triad_cplx);
  triad_cplx *u = s->flow->u[f], *there = s->u[f] + first * row;
  if (device->modes == 0) return TRIAD_OK;
  if (!up) TRIAD_TRY(triad_device_get(s->device, s->staging, there, bytes));
#pragma omp parallel for collapse(2) schedule(static) num_threads(s->flow->context->threads)
  for (int64_t j = 0; j < count; j++)
    for (int64_t c = 0; c < host->n_columns; c++) {
      triad_cplx *here = &u[triad_layout_place(host, c, first + j)], *staged = &s->staging[j * row + c];
      if (up) *staged = *here;
      else *here = *staged;
    }
  return up ? triad_device_put(s->device, there, s->staging, bytes) : TRIAD_OK;
}

/* triad_state_copy of the flow's state. */
static int copy_field(void *self, int f, triad_where to)
{
  triad_gpu_stepper *s = self;
  int64_t nkz = s->layout->nkz;
  if (to == TRIAD_DEVICE) triad_gpu_pass_stale(s->pass);
  for (int64_t j = 0; j < nkz; j += s->staged)
    TRIAD_TRY(stage_rows(s, f, j, nkz - j < s->staged ? nkz - j : s->staged, to == TRIAD_DEVICE));
  return TRIAD_OK;
}

static void attach(triad_gpu_stepper *s)
{
  triad_state *state = s->flow->state;
  for (int f = 0; f < s->n; f++) triad_state_attach(state, f, TRIAD_DEVICE, s->u[f]);
  triad_state_set_copy(state, copy_field, s);
}

static void destroy(triad_gpu_stepper **stepper)
{
  if (!stepper || !*stepper) return;
  triad_gpu_stepper *s = *stepper;
  triad_memory *m = s->flow->context->memory;
  void **taken[] = {(void **)&s->kept, (void **)&s->partial, (void **)&s->out, (void **)&s->recorded.lengths};
  triad_gpu_recorded_destroy(s);
  triad_gpu_modes_free(&s->state.modes, s->device);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) triad_device_free(s->device, taken[i]);
  for (int f = 0; s->u && f < s->n + s->set->extras; f++) triad_device_free(s->device, (void **)&s->u[f]);
  for (int f = 0; s->q && f < s->n; f++) triad_device_free(s->device, (void **)&s->q[f]);
  triad_gpu_forced_destroy(&s->forced);
  triad_gpu_formulas_destroy(&s->formulas);
  triad_gpu_closure_destroy(&s->closure);
  triad_gpu_relaxation_destroy(&s->relaxation);
  if (s->set && s->set->release) s->set->release(s->flow->self);
  TRIAD_FREE(m, &s->u);
  TRIAD_FREE(m, &s->in);
  TRIAD_FREE(m, &s->q);
  TRIAD_FREE(m, &s->decay);
  TRIAD_FREE(m, &s->staging);
  triad_gpu_pass_destroy(&s->pass);
  triad_layout_destroy(&s->layout);
  free(s);
  *stepper = NULL;
}

static int create(triad_gpu_stepper **out, triad_flow *flow, const triad_scheme *scheme)
{
  triad_gpu_stepper *s = *out = calloc(1, sizeof *s);
  if (s) s->flow = flow; /* who destroys one that another rank has no memory for asks it */
  int st = triad_agree(&flow->context->comm, s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the GPU stepper"));
  if (st != TRIAD_OK) {
    destroy(out);
    return st;
  }
  s->device = flow->device;
  triad_device_limit(s->device, (int64_t)(1e9 * triad_case_real(flow->given, "parallel.gpu_memory")));
  s->scheme = scheme;
  s->random = triad_shifts_of(&flow->grid, flow->given) == TRIAD_SHIFTS_RANDOM;
  st = triad_agree(&flow->context->comm, create_parts(s));
  if (st == TRIAD_OK) st = make_pass(s);
  if (st == TRIAD_OK) st = triad_agree(&flow->context->comm, triad_gpu_recorded_create(s));
  if (st == TRIAD_OK) attach(s);
  if (st != TRIAD_OK) destroy(out);
  return st;
}

/* ---- steps ---- */

triad_gpu_update triad_gpu_stepper_update_of(const triad_gpu_stepper *s, int stage, double dt, double tau)
{
  triad_gpu_update p = triad_gpu_stage_update(s->flow, s->scheme, stage, dt, tau);
  p.modes = s->state.modes;
  p.u = s->u;
  p.q = s->q;
  p.decay = s->decay;
  p.results.base = triad_gpu_pass_result(s->pass, &p.results.stride);
  return p;
}

static void set_apart(triad_gpu_stepper *s, int apart)
{
  s->apart = apart;
  triad_gpu_pass_apart(s->pass, apart);
}

static triad_phases phases_of(triad_gpu_stepper *s)
{
  triad_phases phases = triad_gpu_pass_phases(s->pass);
  phases.s[TRIAD_PHASE_POINTWISE] += s->update_s;
  phases.s[TRIAD_PHASE_FFT] += s->joined_s;
  s->update_s = s->joined_s = 0;
  return phases;
}

static triad_gpu_traffic traffic_of(const triad_gpu_stepper *s)
{
  triad_gpu_chunks chunks = triad_gpu_pass_chunks(s->pass);
  return (triad_gpu_traffic){triad_gpu_pass_transport(s->pass), s->times, chunks.depth, chunks.count,
                             triad_gpu_pass_sent(s->pass)};
}

int triad_gpu_stepper_update(triad_gpu_stepper *s, const triad_gpu_update *update)
{
  if (update->modes.n == 0) return TRIAD_OK;
  double begin = triad_now();
  TRIAD_TRY(s->set->spectral->update(s->law, update, triad_device_stream(s->device)));
  if (!s->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(s->device));
  s->update_s += triad_now() - begin;
  return TRIAD_OK;
}

int triad_gpu_stepper_pass(triad_gpu_stepper *s, int pass, const triad_cplx *const *in, const double *shift)
{
  triad_gpu_job job = triad_gpu_stepper_job(s, pass, in);
  job.shift = shift;
  return triad_gpu_pass_run(s->pass, &job);
}

int triad_gpu_stepper_closure(triad_gpu_stepper *s, const double *shift)
{
  triad_gpu_job job = triad_gpu_stepper_job(s, 0, (const triad_cplx *const *)s->u);
  job.shift = shift;
  TRIAD_TRY(triad_gpu_closure_join(s->closure, &s->state.modes, 1, &job));
  return triad_gpu_pass_run(s->pass, &job);
}

int triad_gpu_stepper_sources(triad_gpu_stepper *s)
{
  if (s->set->sources == 0) return TRIAD_OK;
  return s->set->spectral->source(s->law, &s->state.modes, (const triad_cplx *const *)s->u, s->u + s->n,
                                  triad_device_stream(s->device));
}

/* Reduce step->advection_rate and requests over all ranks, after the first pass. */
static int share_peaks(const triad_gpu_stepper *s, triad_step *step)
{
  double peaks[TRIAD_GPU_PEAKS], rate = triad_gpu_formulas_rate(s->formulas);
  TRIAD_TRY(triad_gpu_pass_peaks(s->pass, peaks));
  TRIAD_TRY(triad_gpu_formulas_good(s->formulas));
  if (rate > peaks[0]) peaks[0] = rate;
  TRIAD_TRY(triad_closure_settle(s->flow, peaks));
  return triad_stepper_share(s->flow, step, peaks[0]);
}

/* The passes of a stage: what each but the last leaves is an input of the next, the first of the set's own fields. */
static int run_passes(triad_gpu_stepper *s, int stage, triad_step *step, double *dt)
{
  void *stream = triad_device_stream(s->device);
  triad_gpu_particles *particles = triad_particles_gpu(s->flow->particles);
  TRIAD_TRY(triad_gpu_particles_prepare(particles, s->scheme, stage, *dt));
  TRIAD_TRY(triad_gpu_stepper_sources(s));
  for (int pass = 0; pass < s->set->n_passes; pass++) {
    /* dt follows from the step's own start alone, so that a resumed run takes the same steps */
    int first = stage == 0 && pass == 0;
    triad_gpu_results results;
    if (first) TRIAD_TRY(triad_gpu_pass_forget(s->pass));
    triad_gpu_job job = triad_gpu_stepper_job(s, pass, triad_gpu_stepper_inputs(s, pass));
    job.shift = s->random ? s->shift : NULL;
    job.open = s->joins;
    if (pass == 0) {
      TRIAD_TRY(triad_gpu_closure_join(s->closure, &s->state.modes, 0, &job));
      TRIAD_TRY(triad_gpu_formulas_join(s->formulas, &job));
      triad_gpu_relaxation_join(s->relaxation, &job);
      triad_gpu_particles_watch(particles, &job);
    }
    TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
    if (first) {
      TRIAD_TRY(share_peaks(s, step));
      *dt = triad_stepper_choose(s->flow, step);
    }
    results.base = triad_gpu_pass_result(s->pass, &results.stride);
    if (pass + 1 < s->set->n_passes) TRIAD_TRY(triad_gpu_keep(&s->state.modes, &results, 0, s->u[s->n], stream));
  }
  return TRIAD_OK;
}

/* Of particles with added mass: what the fluid's velocity changes by, of the state as it is before its update. */
static int keep_rates(triad_gpu_stepper *s, const triad_gpu_update *update)
{
  triad_cplx *const *rates;
  TRIAD_TRY(
    triad_gpu_particles_rates(triad_particles_gpu(s->flow->particles), s->set->spectral, s->law, update, &rates));
  return rates ? triad_gpu_forced_add(s->forced, rates, 0, 1) : TRIAD_OK;
}

static int advance_stages(triad_gpu_stepper *s, triad_step *step, double *dt)
{
  double next[3] = {0, 0, 0};
  if (s->random) triad_shift_of_step(s->flow->at.step, s->shift);
  if (s->random) triad_shift_of_step(s->flow->at.step + 1, next);
  for (int stage = 0; stage < s->scheme->n_stages; stage++) {
    const triad_stage *g = &s->scheme->stage[stage];
    TRIAD_TRY(triad_forcing_at(s->flow->forcing, s->flow, s->flow->at.t + g->c * *dt, stage == 0));
    if (s->flow->equations->at) /* the first is at the start, whatever dt will be */
      s->flow->equations->at(s->flow->self, s->flow->at.t + (stage == 0 ? 0 : g->c * *dt));
    TRIAD_TRY(triad_gpu_forced_prepare(s->forced, s->u));
    TRIAD_TRY(triad_gpu_relaxation_prepare(s->relaxation, s->flow->at.t + g->c * *dt, stage, s->u));
    TRIAD_TRY(run_passes(s, stage, step, dt));
    TRIAD_TRY(triad_gpu_relaxation_sum(s->relaxation, stage));
    double tau = triad_stepper_tau(s->scheme, stage, *dt);
    triad_gpu_update update = triad_gpu_stepper_update_of(s, stage, *dt, tau);
    update.force = triad_gpu_relaxation_force(s->relaxation, triad_gpu_formulas_force(s->formulas));
    TRIAD_TRY(keep_rates(s, &update));
    TRIAD_TRY(s->joins ? triad_gpu_joined_update(s, &update, !s->forced, update.last ? next : s->shift)
                       : triad_gpu_stepper_update(s, &update));
    TRIAD_TRY(triad_gpu_particles_advance(triad_particles_gpu(s->flow->particles), s->scheme, stage, *dt));
    TRIAD_TRY(triad_gpu_forced_add(s->forced, s->u, tau, g->b * *dt));
    if (!update.last) TRIAD_TRY(triad_gpu_forced_add(s->forced, s->q, tau, g->e * *dt));
  }
  TRIAD_TRY(triad_gpu_relaxation_finish(s->relaxation, s->scheme, *dt));
  return triad_gpu_forced_kick(s->forced, s->u, *dt);
}

/* As split_step of stepper.c. */
static int split_step(triad_gpu_stepper *s, triad_step *step, const double *dt)
{
  void *stream = triad_device_stream(s->device);
  triad_turn turn = s->flow->equations->turn(s->flow->self);
  triad_gpu_results results;
  triad_gpu_job job = {.n_in = s->n,
                       .n_out = s->n,
                       .in = (const triad_cplx *const *)s->u,
                       .visit = s->set->split,
                       .law = s->law,
                       .dt = *dt};
  TRIAD_TRY(triad_gpu_pass_forget(s->pass));
  TRIAD_TRY(triad_gpu_turn(&s->state.modes, turn.alpha, turn.mu, *dt / 2, s->u, stream));
  TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  TRIAD_TRY(share_peaks(s, step));
  results.base = triad_gpu_pass_result(s->pass, &results.stride);
  for (int f = 0; f < s->n; f++) TRIAD_TRY(triad_gpu_keep(&s->state.modes, &results, f, s->u[f], stream));
  return triad_gpu_turn(&s->state.modes, turn.alpha, turn.mu, *dt / 2, s->u, stream);
}

static int advance_split(triad_gpu_stepper *s, triad_step *step, double *dt)
{
  triad_gpu_particles *particles = triad_particles_gpu(s->flow->particles);
  step->advection_rate = 0; /* the step must be known before the points are visited */
  *dt = triad_stepper_choose(s->flow, step);
  TRIAD_TRY(triad_gpu_particles_prepare(particles, &triad_particles_about, 0, *dt));
  TRIAD_TRY(triad_gpu_particles_advance(particles, &triad_particles_about, 0, *dt));
  TRIAD_TRY(split_step(s, step, dt));
  TRIAD_TRY(triad_gpu_particles_prepare(particles, &triad_particles_about, 1, *dt));
  return triad_gpu_particles_advance(particles, &triad_particles_about, 1, *dt);
}

static int advance(triad_gpu_stepper *s, triad_step *step, double *dt)
{
  const int split = s->scheme->form == TRIAD_SCHEME_SPLIT, particles = triad_particles_gpu(s->flow->particles) != NULL;
  s->joins = s->can_join && !particles;
  const int recorded = s->recorded.can && s->recorded.warm && !particles && !s->apart;
  TRIAD_TRY(recorded ? triad_gpu_recorded_advance(s, step, dt)
            : split  ? advance_split(s, step, dt)
                     : advance_stages(s, step, dt));
  s->recorded.warm = 1; /* the first step has loaded the kernels, which nothing that is recorded may */
  /* Of several flows in a process none waits here, nor one whose launches are recorded, of which the next are then
   * there when these are done: whoever reads the state does so in the order of the stream, and a kernel that failed
   * is seen when the next step asks for its peaks. */
  const int waits = (!recorded && !triad_fibers_inside()) || s->formulas || particles || s->apart;
  if (waits) TRIAD_TRY(triad_device_wait(s->device));
  return triad_gpu_formulas_good(s->formulas);
}

static int take_step(triad_gpu_stepper *s, triad_step *step, double *dt)
{
  const triad_comm *comm = &s->flow->context->comm;
  int st = advance(s, step, dt);
  /* what all ranks meet alike; anything else others may not know of */
  if (st == TRIAD_OK || st == TRIAD_ERR_BLOWUP || st == TRIAD_ERR_CASE || comm->size == 1) return st;
  triad_end_all(comm, st);
  return st;
}

/* ---- for those who measure ---- */

triad_gpu_pass_options triad_gpu_stepper_options(const triad_case *given, const triad_grid *grid)
{
  return (triad_gpu_pass_options){.nstreams = (int)triad_case_integer(given, "parallel.nstreams"),
                                  .transport = triad_case_word(given, "parallel.transport"),
                                  .both = triad_shifts_of(grid, given) == TRIAD_SHIFTS_EXACT};
}

const triad_gpu_state *triad_gpu_stepper_state(const triad_gpu_stepper *s) { return &s->state; }

const triad_gpu_set *triad_gpu_stepper_set(const triad_gpu_stepper *s, const void **law)
{
  *law = s->law;
  return s->set;
}

const triad_layout *triad_gpu_stepper_layout(const triad_gpu_stepper *s) { return s->layout; }

int triad_gpu_stepper_formulas(const triad_gpu_stepper *s, char *text, size_t size)
{
  return triad_gpu_formulas_tell(s->formulas, text, size);
}

int triad_gpu_stepper_force_power(triad_gpu_stepper *s, int *has, const triad_gpu_measure *measure)
{
  *has = s->formulas != NULL;
  if (!s->formulas) return TRIAD_OK;
  triad_gpu_job job = triad_gpu_stepper_job(s, 0, triad_gpu_stepper_inputs(s, 0));
  triad_gpu_measure all = *measure;
  TRIAD_TRY(triad_forcing_at(s->flow->forcing, s->flow, s->flow->at.t, 0));
  if (triad_forcing_results(s->flow->forcing) > 0) {
    TRIAD_TRY(triad_gpu_stepper_sources(s));
    TRIAD_TRY(triad_gpu_formulas_join(s->formulas, &job));
    TRIAD_TRY(triad_gpu_pass_run(s->pass, &job));
  }
  all.results.base = triad_gpu_pass_result(s->pass, &all.results.stride);
  return triad_gpu_formulas_power(s->formulas, &all);
}

int triad_gpu_stepper_show_forced(triad_gpu_stepper *s) { return triad_gpu_forced_show(s->forced, s->u); }

const triad_gpu_stepper_part triad_gpu_stepper_table = {.create = create,
                                                        .destroy = destroy,
                                                        .advance = take_step,
                                                        .apart = set_apart,
                                                        .phases = phases_of,
                                                        .traffic = traffic_of};
