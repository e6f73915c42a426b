/* Advance a state in host memory by passing it through a GPU in pieces. */
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/gpu_stage.h"
#include "fft/gpu/gpu_library.h"
#include "fft/gpu/gpu_offload.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/plain/shifts.h"
#include "base/minmax.h"

#include <stdlib.h>

struct triad_gpu_offload {
  triad_flow *flow;
  triad_device *device;
  const triad_scheme *scheme;
  const triad_gpu_set *set;
  const void *law;
  triad_offload *pass;
  triad_gpu_modes modes; /* tables of all columns */
  int n;                 /* fields */
  int both;              /* products are the mean over two grids */
  triad_cplx *const *q;
  triad_real *kept;                   /* what one pass leaves to the next at the points */
  triad_decay *decay;                 /* [n] */
  int *place;                         /* [n + sources] of fields and made inputs on the way in; NULL: in order */
  triad_cplx **ordered;               /* [n + sources] */
  triad_offload_field *source, *sink; /* [n_fields of the sizes] */
  const triad_gpu_offload_step *step; /* at hand */
};

/* The most that any pass of the set asks for. */
static triad_offload_sizes sizes_of(const triad_case *given, const triad_shape *shape, const triad_gpu_set *set,
                                    const triad_layout *l)
{
  int split = triad_case_is(given, "time.scheme", "split2");
  triad_offload_sizes s = {.n_in = split ? shape->n_fields : 0,
                           .n_out = split ? shape->n_fields : 0,
                           .n_left = split ? shape->n_fields : 0,
                           .n_fields = 2 * shape->n_fields + set->sources,
                           .row_fields = set->row_fields,
                           .keeps = set->keeps,
                           .nstreams = (int)triad_case_integer(given, "parallel.nstreams")};
  for (int p = 0; p < shape->n_passes; p++) {
    s.n_in = triad_max_int(s.n_in, shape->pass[p].n_in);
    s.n_out = triad_max_int(s.n_out, shape->pass[p].n_out);
    s.n_left = triad_max_int(s.n_left, triad_shape_left(shape, p));
  }
  s.both = triad_shifts_of(&l->grid, given) == TRIAD_SHIFTS_EXACT;
  if (s.both) s.n_fields += s.n_left;
  double limit = 1e9 * triad_case_real(given, "parallel.gpu_memory");
  if (limit > 0) {
    s.room = (int64_t)limit - triad_gpu_modes_bytes(l) - (1 << 20); /* without tables and small arrays */
    if (s.room < 1) s.room = 1;
  }
  return s;
}

/* ---- memory ---- */

/* Fields and made inputs in the order in which they are on the GPU: inputs of the pass come first. */
static int order_inputs(triad_gpu_offload *o)
{
  const int n_in = o->flow->shape.pass[0].n_in, all = o->n + o->set->sources;
  triad_memory *m = o->flow->context->memory;
  int next = n_in;
  TRIAD_TRY(TRIAD_ALLOC(m, "offload", all, &o->place));
  TRIAD_TRY(TRIAD_ALLOC(m, "offload", all, &o->ordered));
  for (int f = 0; f < all; f++) o->place[f] = -1;
  for (int i = 0; i < n_in; i++) o->place[o->set->inputs[i]] = i;
  for (int f = 0; f < all; f++)
    if (o->place[f] < 0) o->place[f] = next++;
  return TRIAD_OK;
}

static int take_host(triad_gpu_offload *o, const triad_offload_sizes *s)
{
  const triad_flow *flow = o->flow;
  const triad_grid *g = &flow->grid;
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(m, "offload", o->n, &o->decay));
  TRIAD_TRY(TRIAD_ALLOC(m, "offload", s->n_fields, &o->source));
  TRIAD_TRY(TRIAD_ALLOC(m, "offload", s->n_fields, &o->sink));
  for (int f = 0; f < o->n; f++) o->decay[f] = triad_forcing_decay(flow, f);
  if (o->set->inputs) TRIAD_TRY(order_inputs(o));
  if (o->set->keeps > 0)
    TRIAD_TRY(TRIAD_ALLOC(m, "values at points", o->set->keeps * flow->layout->n_planes * g->n[1] * g->n[0], &o->kept));
  return TRIAD_OK;
}

static int64_t field_bytes(const triad_gpu_offload *o) { return o->flow->layout->modes * (int64_t)sizeof(triad_cplx); }

static int64_t kept_bytes(const triad_gpu_offload *o)
{
  const triad_grid *g = &o->flow->grid;
  return o->set->keeps * o->flow->layout->n_planes * g->n[1] * g->n[0] * (int64_t)sizeof(triad_real);
}

static int pin(triad_gpu_offload *o)
{
  for (int f = 0; f < o->n; f++) TRIAD_TRY(triad_device_pin(o->device, o->flow->u[f], field_bytes(o)));
  for (int f = 0; o->q && f < o->n; f++) TRIAD_TRY(triad_device_pin(o->device, o->q[f], field_bytes(o)));
  return triad_device_pin(o->device, o->kept, kept_bytes(o));
}

static void unpin(triad_gpu_offload *o)
{
  for (int f = 0; f < o->n; f++) triad_device_unpin(o->device, o->flow->u[f], field_bytes(o));
  for (int f = 0; o->q && f < o->n; f++) triad_device_unpin(o->device, o->q[f], field_bytes(o));
  if (o->kept) triad_device_unpin(o->device, o->kept, kept_bytes(o));
}

/* What each rank makes by itself. */
static int create_parts(triad_gpu_offload *o, triad_offload_sizes *sizes)
{
  triad_flow *flow = o->flow;
  o->set = triad_equations_gpu(flow->equations, flow->self);
  o->law = flow->self;
  if (!o->set || (o->scheme->form == TRIAD_SCHEME_SPLIT && !o->set->split))
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.device = \"offload\": solver %s does not support time.scheme = \"%s\" on GPUs: use "
                      "another scheme, or parallel.device = \"cpu\"",
                      flow->equations->name, o->scheme->word.name);
  *sizes = sizes_of(flow->given, &flow->shape, o->set, flow->layout);
  triad_device_limit(o->device, (int64_t)(1e9 * triad_case_real(flow->given, "parallel.gpu_memory")));
  TRIAD_TRY(take_host(o, sizes));
  TRIAD_TRY(pin(o));
  if (o->set->prepare) TRIAD_TRY(o->set->prepare(flow->self, o->device, flow->layout, 0, flow->context->threads));
  return triad_gpu_modes_alloc(&o->modes, o->device, flow->layout);
}

static void destroy(triad_gpu_offload **offload)
{
  if (!offload || !*offload) return;
  triad_gpu_offload *o = *offload;
  triad_memory *m = o->flow->context->memory;
  triad_offload_destroy(&o->pass);
  if (o->set && o->set->release) o->set->release(o->flow->self);
  TRIAD_FREE(m, &o->place);
  TRIAD_FREE(m, &o->ordered);
  triad_gpu_modes_free(&o->modes, o->device);
  unpin(o);
  TRIAD_FREE(m, &o->decay);
  TRIAD_FREE(m, &o->source);
  TRIAD_FREE(m, &o->sink);
  TRIAD_FREE(m, &o->kept);
  free(o);
  *offload = NULL;
}

static int create(triad_gpu_offload **out, triad_flow *flow, const triad_scheme *scheme, triad_cplx *const *q)
{
  triad_gpu_offload *o = *out = calloc(1, sizeof *o);
  triad_offload_sizes sizes = {0};
  if (o) o->flow = flow; /* who destroys one that another rank has no memory for asks it */
  int st = triad_agree(&flow->context->comm, o ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "offload"));
  if (st != TRIAD_OK) {
    destroy(out);
    return st;
  }
  o->device = flow->offload;
  o->scheme = scheme;
  o->n = flow->shape.n_fields;
  o->q = q;
  o->both = triad_shifts_of(&flow->grid, flow->given) == TRIAD_SHIFTS_EXACT;
  st = triad_agree(&flow->context->comm, create_parts(o, &sizes));
  if (st == TRIAD_OK) st = triad_offload_create(&o->pass, flow->context, o->device, flow->layout, flow->pass, &sizes);
  if (st != TRIAD_OK) destroy(out);
  return st;
}

static int needs(const triad_flow_plan *p, triad_rank_needs *gpu, triad_rank_needs *host)
{
  const triad_layout *l = p->layout;
  const triad_gpu_set *set = triad_equations_gpu(p->equations, p->self);
  if (!set) return TRIAD_OK;
  const triad_offload_sizes sizes = sizes_of(p->given, &p->shape, set, l);
  const int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  triad_offload_cut cut;
  TRIAD_TRY(triad_offload_count(l, &sizes, &cut));
  triad_needs_add(gpu, "slots", "pieces of fields on the GPU", cut.nstreams * cut.slot);
  const int64_t library = cut.nstreams * triad_gpu_library_bytes(&l->grid);
  if (library > 0) triad_needs_add(gpu, "lines by cuFFT", "batches of lines, its work area", library);
  triad_needs_add(gpu, "tables", "rows, wavenumbers, twiddle factors",
                  cut.total - cut.nstreams * cut.slot - library + triad_gpu_modes_bytes(l));
  if (set->keeps > 0)
    triad_needs_add(host, "values at points", "retained between passes, pinned like the others",
                    set->keeps * points * (int64_t)sizeof(triad_real));
  host->pinned += set->keeps * points * (int64_t)sizeof(triad_real);
  return TRIAD_OK;
}

/* ---- passes ---- */

static triad_gpu_modes modes_of(const triad_gpu_offload *o, const triad_offload_columns *at)
{
  return triad_gpu_modes_part(&o->modes, at->first, at->count);
}

/* Does the next stage follow from this one's update alone? Not where the host adds a force in between, or where it
 * begins on another grid than this one ends, or where its inputs are not in the order of fields, or where particles
 * take passes in between; and after the last stage others may use the exchange. */
static int follows(const triad_gpu_offload *o, int stage)
{
  return stage < o->scheme->n_stages - 1 && !o->both && !o->place && !triad_forcing_acts(o->flow->forcing) &&
         !o->flow->particles;
}

/* Inputs of the first pass that are made of the fields: field `behind` and those after it. */
static int make_inputs(const triad_gpu_offload *o, const triad_offload_columns *at, int behind)
{
  const triad_gpu_modes modes = modes_of(o, at);
  if (o->set->sources == 0) return TRIAD_OK;
  return o->set->spectral->source(o->law, &modes, (const triad_cplx *const *)at->field, at->field + behind, at->stream);
}

static int make_first_inputs(void *self, const triad_offload_columns *at)
{
  const triad_gpu_offload *o = self;
  const triad_gpu_modes modes = modes_of(o, at);
  if (!o->place) return make_inputs(o, at, o->n);
  for (int f = 0; f < o->n + o->set->sources; f++) o->ordered[f] = at->field[o->place[f]];
  if (o->set->sources == 0) return TRIAD_OK;
  return o->set->spectral->source(o->law, &modes, (const triad_cplx *const *)o->ordered, o->ordered + o->n, at->stream);
}

static int keep_results(void *self, const triad_offload_columns *at)
{
  const triad_gpu_modes modes = modes_of(self, at);
  const triad_gpu_results results = {at->result, at->stride};
  return triad_gpu_keep(&modes, &results, 0, at->field[0], at->stream);
}

static int update(void *self, const triad_offload_columns *at)
{
  const triad_gpu_offload *o = self;
  triad_gpu_update p = triad_gpu_stage_update(o->flow, o->scheme, o->step->stage, *o->step->dt, *o->step->tau);
  p.modes = modes_of(o, at);
  p.results = (triad_gpu_results){at->result, at->stride};
  p.u = at->field;
  p.q = at->field + o->n;
  p.decay = o->decay;
  TRIAD_TRY(o->set->spectral->update(o->law, &p, at->stream));
  return follows(o, o->step->stage) ? make_inputs(o, at, 2 * o->n) : TRIAD_OK;
}

static triad_offload_side source_of(triad_gpu_offload *o)
{
  int made = o->set->sources;
  for (int f = 0; f < o->n; f++)
    o->source[o->place ? o->place[f] : f] = (triad_offload_field){o->flow->u[f], TRIAD_OFFLOAD_IN};
  for (int f = o->n; f < o->n + made; f++) o->source[o->place ? o->place[f] : f] = (triad_offload_field){NULL, 0};
  return (triad_offload_side){o->n + made, o->source, make_first_inputs};
}

/* The first stage does not read the register, and nobody reads what the last one would leave there. */
static triad_offload_side sink_of(triad_gpu_offload *o, int stage, int pass)
{
  int in = stage > 0 ? TRIAD_OFFLOAD_IN : 0, out = stage < o->scheme->n_stages - 1 ? TRIAD_OFFLOAD_OUT : 0;
  int made = follows(o, stage) ? o->set->sources : 0;
  if (pass < o->set->n_passes - 1) {
    o->sink[0] = (triad_offload_field){NULL, 0};
    return (triad_offload_side){1, o->sink, keep_results};
  }
  for (int f = 0; f < o->n; f++) {
    o->sink[f] = (triad_offload_field){o->flow->u[f], TRIAD_OFFLOAD_IN | TRIAD_OFFLOAD_OUT};
    o->sink[o->n + f] = (triad_offload_field){o->q[f], in | out};
  }
  for (int f = 0; f < made; f++) o->sink[2 * o->n + f] = (triad_offload_field){NULL, 0};
  return (triad_offload_side){2 * o->n + made, o->sink, update};
}

/* What the sink makes for the pass after this one. */
static triad_offload_next next_of(const triad_gpu_offload *o, int stage, int pass)
{
  const triad_shape *shape = &o->flow->shape;
  if (pass < o->set->n_passes - 1) return (triad_offload_next){shape->pass[pass + 1].n_in, 1, 1};
  return follows(o, stage) ? (triad_offload_next){shape->pass[0].n_in, o->n, 2 * o->n} : (triad_offload_next){0, 0, 0};
}

static int turn(void *self, const triad_offload_columns *at)
{
  const triad_gpu_offload *o = self;
  const triad_turn rate = o->flow->equations->turn(o->flow->self);
  const triad_gpu_modes modes = modes_of(o, at);
  return triad_gpu_turn(&modes, rate.alpha, rate.mu, *o->step->dt / 2, at->field, at->stream);
}

static int keep_and_turn(void *self, const triad_offload_columns *at)
{
  const triad_gpu_offload *o = self;
  const triad_gpu_modes modes = modes_of(o, at);
  const triad_gpu_results results = {at->result, at->stride};
  for (int f = 0; f < o->n; f++) TRIAD_TRY(triad_gpu_keep(&modes, &results, f, at->field[f], at->stream));
  return turn(self, at);
}

/* As advance_split of stepper.c. */
static triad_offload_job split_job(triad_gpu_offload *o)
{
  for (int f = 0; f < o->n; f++) {
    o->source[f] = (triad_offload_field){o->flow->u[f], TRIAD_OFFLOAD_IN};
    o->sink[f] = (triad_offload_field){o->flow->u[f], TRIAD_OFFLOAD_OUT};
  }
  return (triad_offload_job){.n_in = o->n,
                             .n_out = o->n,
                             .source = {o->n, o->source, turn},
                             .visit = o->set->split,
                             .dt = o->step->dt,
                             .sink = {o->n, o->sink, keep_and_turn}};
}

static triad_offload_job stage_job(triad_gpu_offload *o, int stage, int pass)
{
  const triad_shape *shape = &o->flow->shape;
  return (triad_offload_job){.n_in = shape->pass[pass].n_in,
                             .n_out = shape->pass[pass].n_out,
                             .chains = shape->pass[pass].chains,
                             .ready = pass > 0 || (stage > 0 && follows(o, stage - 1)),
                             .source = source_of(o),
                             .visit = o->set->pass[pass],
                             .keeps = o->set->keeps,
                             .kept = o->kept,
                             .kept_moves = pass == 0 ? TRIAD_OFFLOAD_OUT : TRIAD_OFFLOAD_IN,
                             .sink = sink_of(o, stage, pass),
                             .next = next_of(o, stage, pass)};
}

static int settle_step(void *self, const double *peaks)
{
  const triad_gpu_offload *o = self;
  return o->step->settle(o->step->self, peaks);
}

static int run_pass(triad_gpu_offload *o, const triad_gpu_offload_step *step)
{
  o->step = step;
  triad_offload_job job = o->scheme->form == TRIAD_SCHEME_SPLIT ? split_job(o) : stage_job(o, step->stage, step->pass);
  job.law = o->law;
  job.shift = step->shift;
  job.settle = settle_step;
  job.self = o;
  return triad_offload_run(o->pass, &job);
}

/* ---- for those who measure ---- */

static void set_apart(triad_gpu_offload *o, int apart) { triad_offload_apart(o->pass, apart); }

static triad_phases phases_of(triad_gpu_offload *o) { return triad_offload_phases(o->pass); }

static triad_gpu_offload_bus traffic_of(triad_gpu_offload *o)
{
  const triad_offload_cut *cut = triad_offload_streams(o->pass);
  triad_gpu_offload_bus bus = {.nstreams = cut->nstreams,
                               .pieces = (o->flow->layout->n_planes + cut->planes - 1) / cut->planes};
  triad_offload_moved(o->pass, &bus.in, &bus.out);
  return bus;
}

const triad_gpu_offload_part triad_gpu_offload_table = {.needs = needs,
                                                        .create = create,
                                                        .destroy = destroy,
                                                        .pass = run_pass,
                                                        .apart = set_apart,
                                                        .phases = phases_of,
                                                        .traffic = traffic_of};
