/* Evaluate the nonlinear term pass by pass: the functions of the equations in each pass, and the work space of each
 * thread. */
#include "solvers/spectral/step/evaluate.h"
#include "solvers/spectral/step/stepper.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/relax_points.h"

#include <math.h>
#include <string.h>

void triad_evaluation_source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_evaluation *e = self;
  const triad_flow *flow = e->flow;
  if (flow->equations->source) {
    flow->equations->source(flow->self, e->pass, block, (const triad_cplx *const *)flow->u, in);
    return;
  }
  const int n = flow->shape.pass[e->pass].n_in - triad_closure_inputs(flow->closure);
  for (int f = 0; f < n; f++) triad_batch_put(block, flow->u[f], in[f]);
  if (e->terms != TRIAD_TERMS_RESOLVED) triad_closure_source(flow->closure, block, in);
}

int triad_evaluation_shows(const triad_flow *flow)
{
  return !flow->device && !flow->offload && flow->shape.n_passes == 1 && !flow->equations->source &&
         !flow->grid.shifted;
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_evaluation *e = self;
  for (int i = 0; i < e->n_observers; i++)
    if (e->observer[i]->points)
      e->observer[i]->points(e->observer[i]->self, at, in, peaks + TRIAD_PEAKS - TRIAD_OBSERVER_PEAKS);
  if (e->terms == TRIAD_TERMS_CLOSURE) {
    for (int r = 0; r < e->flow->shape.pass[e->pass].n_out; r++) memset(out[r], 0, (size_t)at->n * sizeof *out[r]);
  } else {
    e->flow->equations->points(e->flow->self, e->pass, at, in, out, peaks);
  }
  if (e->terms != TRIAD_TERMS_RESOLVED) triad_closure_points(e->flow->closure, at->n, in, out, peaks);
}

/* With formulas, bodies or sponges: they come first, as inputs may be overwritten. */
static void points_and_force(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                             double *peaks)
{
  const triad_evaluation *e = self;
  triad_real *const *behind = out + e->flow->shape.pass[e->pass].n_out;
  const int formulas = triad_forcing_results(e->force);
  const double rate = formulas > 0 ? triad_forcing_points(e->force, e->flow, at, in, behind) : 0;
  if (e->relaxation) triad_relaxation_points(e->relaxation, e->flow, at, in, behind + formulas);
  points(self, at, in, out, peaks); /* and whoever observes */
  if (!(rate <= peaks[TRIAD_PEAK_ADVECTION]) && !isnan(peaks[TRIAD_PEAK_ADVECTION])) peaks[TRIAD_PEAK_ADVECTION] = rate;
}

static void planes(void *self, int64_t begin, int64_t end)
{
  const triad_evaluation *e = self;
  for (int i = 0; i < e->n_observers; i++)
    if (e->observer[i]->planes) e->observer[i]->planes(e->observer[i]->self, begin, end);
}

static void keep_results(void *self, const triad_batch *block, triad_cplx *const *results)
{
  const triad_evaluation *e = self;
  e->flow->equations->keep(e->flow->self, e->pass, block, results);
}

static int relaxation_missed(void *self)
{
  const triad_evaluation *e = self;
  return triad_relaxation_missed(e->relaxation);
}

int triad_evaluation_run(triad_evaluation *e, int pass, const triad_work *own)
{
  const triad_shape *shape = &e->flow->shape;
  triad_work work = {.n_in = shape->pass[pass].n_in,
                     .n_out = shape->pass[pass].n_out,
                     .chains = shape->pass[pass].chains,
                     .source = own->source,
                     .points = points,
                     .settle = own->settle,
                     .sink = pass < shape->n_passes - 1 ? keep_results : own->sink,
                     .any_order = 1,
                     .self = e,
                     .shift = e->shift};
  e->pass = pass;
  if (e->terms == TRIAD_TERMS_RESOLVED) work.n_in -= triad_closure_inputs(e->flow->closure);
  else triad_closure_pass(e->flow->closure, &work);
  for (int i = 0; i < e->n_observers; i++)
    if (e->observer[i]->planes) {
      work.planes = planes;
      work.together = e->observer[i]->together;
    }
  const int relaxed = triad_relaxation_count(e->relaxation), behind = triad_forcing_results(e->force) + relaxed;
  if (behind > 0 && pass == shape->n_passes - 1) {
    work.n_out += behind;
    work.points = points_and_force;
    if (relaxed > 0) work.empty = relaxation_missed;
    work.sparse = relaxed;
    work.n_forces = relaxed - triad_relaxation_left(e->relaxation);
    work.force_of = triad_relaxation_sums(e->relaxation);
  }
  return triad_pass_run(e->flow->pass, &work);
}

int triad_row_work_create(triad_row_work **out, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  int most_in, most_out, most_left;
  triad_shape_most(&flow->shape, &most_in, &most_out, &most_left);
  TRIAD_TRY(TRIAD_ALLOC(m, "rows", flow->context->threads, out));
  for (int t = 0; t < flow->context->threads; t++) {
    triad_row_work *r = &(*out)[t];
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", flow->shape.n_fields, &r->u));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows",
                          most_left + triad_forcing_results(flow->forcing) + triad_relaxation_left(flow->relaxation),
                          &r->results));
    TRIAD_TRY(TRIAD_ALLOC(m, "rows", flow->shape.n_fields, &r->rates));
  }
  return TRIAD_OK;
}

void triad_row_work_destroy(triad_row_work **rows, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  for (int t = 0; *rows && t < flow->context->threads; t++) {
    TRIAD_FREE(m, &(*rows)[t].u);
    TRIAD_FREE(m, &(*rows)[t].results);
    TRIAD_FREE(m, &(*rows)[t].rates);
  }
  TRIAD_FREE(m, rows);
}

int64_t triad_row_work_find(triad_row_work *rows, const triad_flow *flow, const triad_batch *block, int64_t j, int n,
                            triad_cplx *const *results)
{
  int64_t at = (block->block * block->layout->nkz + j) * TRIAD_LANES;
  for (int f = 0; f < flow->shape.n_fields; f++) rows->u[f] = flow->u[f] + at;
  for (int p = 0; p < n; p++) rows->results[p] = triad_batch_row(block, results[p], j);
  return at;
}
