#include "run/stepper.h"

#include "fft/transform.h"
#include "run/forcing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* exp(-lambda tau) of one field: lambda splits into columns and kz but for what `apart` keeps. */
typedef struct factors {
  triad_decay split, apart; /* viscosity and uniform drag; hyperviscosity and large-scale drag */
  int has_apart;
  double tau; /* that the tables were made for */
  double *column, *kz; /* [padded columns], [nkz] */
} factors;

struct triad_stepper {
  triad_flow *flow;
  const triad_scheme *scheme;
  triad_cplx *q[TRIAD_MOST_FIELDS];
  factors factor[TRIAD_MOST_FIELDS];
  triad_step *step; /* the step at hand */
  int stage, pass;
  double dt, tau;
};

int triad_stepper_stages(const triad_stepper *s) { return s->scheme->n_stages; }

static int make_factors(factors *f, const triad_flow *flow, int field)
{
  const triad_layout *l = flow->layout;
  triad_memory *m = flow->context->memory;
  triad_decay whole = flow->equations->decay(flow->self, field);
  int everywhere = whole.drag_wavenumber <= 0;
  f->split = (triad_decay){.viscosity = whole.viscosity, .drag = everywhere ? whole.drag : 0};
  f->apart = whole;
  f->apart.viscosity = 0;
  if (everywhere) f->apart.drag = 0;
  f->has_apart = f->apart.hyperviscosity > 0 || f->apart.drag > 0;
  f->tau = NAN;
  TRIAD_TRY(TRIAD_TAKE(m, "stepper", l->n_blocks * TRIAD_LANES, &f->column));
  return TRIAD_TAKE(m, "stepper", l->nkz, &f->kz);
}

int triad_stepper_create(triad_stepper **out, triad_flow *flow, const triad_scheme *scheme)
{
  *out = NULL;
  triad_stepper *s = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the stepper");
  if (s) {
    s->flow = flow;
    s->scheme = scheme;
    for (int f = 0; st == TRIAD_OK && f < flow->shape.n_fields; f++) {
      st = TRIAD_TAKE(flow->context->memory, "stepper", flow->layout->modes, &s->q[f]);
      if (st == TRIAD_OK) st = make_factors(&s->factor[f], flow, f);
    }
  }
  st = triad_agree(&flow->context->comm, st);
  if (st != TRIAD_OK) triad_stepper_destroy(&s);
  *out = s;
  return st;
}

void triad_stepper_destroy(triad_stepper **stepper)
{
  if (!stepper || !*stepper) return;
  triad_stepper *s = *stepper;
  triad_memory *m = s->flow->context->memory;
  for (int f = 0; f < TRIAD_MOST_FIELDS; f++) {
    TRIAD_GIVE(m, &s->q[f]);
    TRIAD_GIVE(m, &s->factor[f].column);
    TRIAD_GIVE(m, &s->factor[f].kz);
  }
  free(s);
  *stepper = NULL;
}

static void set_factors(triad_stepper *s, double tau)
{
  const triad_layout *l = s->flow->layout;
  s->tau = tau;
  for (int field = 0; field < s->flow->shape.n_fields; field++) {
    factors *f = &s->factor[field];
    if (f->tau == tau) continue;
    f->tau = tau;
    for (int64_t c = 0; c < l->n_blocks * TRIAD_LANES; c++)
      f->column[c] = exp(-tau * f->split.viscosity * (l->wx[c] * l->wx[c] + l->wy[c] * l->wy[c]));
    for (int64_t j = 0; j < l->nkz; j++)
      f->kz[j] = exp(-tau * (f->split.viscosity * l->wz[j] * l->wz[j] + f->split.drag));
  }
}

static void row_factors(const triad_stepper *s, int field, int64_t block, int64_t j, triad_real *e)
{
  const factors *f = &s->factor[field];
  const triad_layout *l = s->flow->layout;
  const double *column = f->column + block * TRIAD_LANES;
  double kz = f->kz[j];
  for (int i = 0; i < TRIAD_LANES; i++) e[i] = (triad_real)(column[i] * kz);
  if (!f->has_apart) return;
  for (int i = 0; i < TRIAD_LANES; i++) {
    double wx = l->wx[block * TRIAD_LANES + i], wy = l->wy[block * TRIAD_LANES + i], wz = l->wz[j];
    e[i] *= (triad_real)exp(-s->tau * triad_decay_rate(&f->apart, wx * wx + wy * wy + wz * wz));
  }
}

/* The stage of one row of one field: eq. (10). First stage: q holds nothing yet; last: nobody reads it. */
static void advance_row(const triad_stepper *s, const triad_real *e, const triad_cplx *n, triad_cplx *u, triad_cplx *q)
{
  const triad_stage *g = &s->scheme->stage[s->stage];
  triad_real a = (triad_real)g->a, b = (triad_real)(g->b * s->dt), d = (triad_real)g->d, en = (triad_real)(g->e * s->dt);
  if (s->stage == 0) {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++) {
      q[i] = (triad_cplx){e[i] * en * n[i].re, e[i] * en * n[i].im};
      u[i] = (triad_cplx){e[i] * (u[i].re + b * n[i].re), e[i] * (u[i].im + b * n[i].im)};
    }
  } else if (s->stage == s->scheme->n_stages - 1) {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++)
      u[i] = (triad_cplx){e[i] * (u[i].re + a * q[i].re + b * n[i].re), e[i] * (u[i].im + a * q[i].im + b * n[i].im)};
  } else {
#pragma omp simd
    for (int i = 0; i < TRIAD_LANES; i++) {
      triad_cplx was = q[i];
      q[i] = (triad_cplx){e[i] * (d * was.re + en * n[i].re), e[i] * (d * was.im + en * n[i].im)};
      u[i] = (triad_cplx){e[i] * (u[i].re + a * was.re + b * n[i].re), e[i] * (u[i].im + a * was.im + b * n[i].im)};
    }
  }
}

static void sink(void *self, const triad_block *block, triad_cplx *const *results)
{
  const triad_stepper *s = self;
  const triad_equations *eq = s->flow->equations;
  const triad_layout *l = block->layout;
  const int32_t *extent = l->kz_extent + block->block * TRIAD_LANES;
  const triad_shape *shape = &s->flow->shape;
  const triad_cplx *u[TRIAD_MOST_FIELDS], *t[TRIAD_MOST_RESULTS];
  triad_lane_row n[TRIAD_MOST_FIELDS];
  triad_real e[TRIAD_LANES];
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = (block->block * l->nkz + j) * TRIAD_LANES;
    for (int f = 0; f < shape->n_fields; f++) u[f] = s->flow->u[f] + at;
    for (int p = 0; p < shape->pass[s->pass].n_out; p++) t[p] = triad_block_row(block, results[p], j);
    eq->rates(s->flow->self, block, j, u, t, n);
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    for (int f = 0; f < shape->n_fields; f++) {
      for (int i = 0; i < TRIAD_LANES; i++)
        if (kz > extent[i]) n[f][i] = (triad_cplx){0, 0};
      row_factors(s, f, block->block, j, e);
      advance_row(s, e, n[f], s->flow->u[f] + at, s->q[f] + at);
    }
  }
}

static void source(void *self, const triad_block *block, triad_cplx *const *in)
{
  const triad_stepper *s = self;
  const triad_flow *flow = s->flow;
  if (flow->equations->source) {
    flow->equations->source(flow->self, s->pass, block, (const triad_cplx *const *)flow->u, in);
    return;
  }
  for (int f = 0; f < flow->shape.pass[s->pass].n_in; f++) triad_block_put(block, flow->u[f], in[f]);
}

static void keep(void *self, const triad_block *block, triad_cplx *const *results)
{
  const triad_stepper *s = self;
  s->flow->equations->keep(s->flow->self, s->pass, block, results);
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_stepper *s = self;
  s->flow->equations->points(s->flow->self, s->pass, at, in, out, peaks);
}

/* The next step's length from the advection rate, cut so as to land on the given time without a sliver before it. */
static double choose_dt(const triad_flow *flow, const triad_step *step)
{
  double dt = step->dt, left = step->land_on - flow->t;
  if (dt <= 0) {
    dt = step->cfl / step->advection_rate; /* infinite at rest */
    dt = fmin(dt, triad_forcing_dt(flow->forcing, step->cfl));
    if (step->dt_max > 0) dt = fmin(dt, step->dt_max);
    if (dt < left && 2 * dt > left) return left / 2;
  }
  return dt * (1 + 1e-9) >= left ? left : dt;
}

/* Once a pass, between physical and spectral space: in a step's first, the one reduction for dt, for blow-up and for
 * stop requests. */
static int settle(void *self, const double *peaks)
{
  triad_stepper *s = self;
  triad_flow *flow = s->flow;
  triad_step *step = s->step;
  double rate = peaks[TRIAD_PEAK_ADVECTION];
  double mine[2] = {isnan(rate) ? INFINITY : rate, step->request}, all[2];
  if (s->stage == 0 && s->pass == 0) {
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, flow->context->comm.mpi)));
    if (isinf(all[0]) && all[0] > 0) return TRIAD_ERR_BLOWUP;
    step->advection_rate = all[0];
    step->requested = (int)all[1];
    s->dt = choose_dt(flow, step);
  }
  const triad_stage *g = &s->scheme->stage[s->stage];
  double next = s->stage + 1 < s->scheme->n_stages ? g[1].c : 1;
  set_factors(s, (next - g->c) * s->dt);
  return TRIAD_OK;
}

int triad_stepper_advance(triad_stepper *s, triad_flow *flow, triad_step *step)
{
  int last = flow->shape.n_passes - 1;
  s->step = step;
  for (s->stage = 0; s->stage < s->scheme->n_stages; s->stage++) {
    const triad_stage *g = &s->scheme->stage[s->stage];
    TRIAD_TRY(triad_forcing_prepare(flow->forcing, flow));
    for (s->pass = 0; s->pass <= last; s->pass++) {
      triad_work work = {.n_in = flow->shape.pass[s->pass].n_in, .n_out = flow->shape.pass[s->pass].n_out,
                         .source = source, .points = points, .settle = settle, .sink = s->pass < last ? keep : sink,
                         .self = s};
      TRIAD_TRY(triad_pass_run(flow->pass, &work));
    }
    /* eq. (10) is linear in N, and few modes are forced: their share is added where it acts */
    triad_forcing_add(flow->forcing, flow->u, s->tau, g->b * s->dt);
    triad_forcing_add(flow->forcing, s->q, s->tau, g->e * s->dt);
  }
  TRIAD_TRY(triad_forcing_kick(flow->forcing, flow, s->dt));
  int landed = s->dt == step->land_on - flow->t;
  flow->t = landed ? step->land_on : flow->t + s->dt;
  flow->dt = s->dt;
  flow->step++;
  return TRIAD_OK;
}
