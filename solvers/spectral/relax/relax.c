/* Create bodies and sponges, integrate their work over a step, and measure their power. */
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/relax/relax_mask.h"
#include "solvers/spectral/relax/relax_points.h"

#include "base/status.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"
#include "solvers/spectral/flow_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of the stability limit on the real axis that a step may use: the flow adds frequencies to the rate, and
 * with RK2 to RK4 the region of stability is at least 1 high there. */
static const double PART = 0.8;

/* The result of a field, if an item relaxes it. Returns 1 if one does. */
static int take_field(triad_relaxation *r, int f)
{
  int any = 0;
  for (int i = 0; i < r->n; i++)
    for (int k = 0; k < r->item[i].n_fields; k++)
      if (r->item[i].fields[k].field == f) {
        r->item[i].fields[k].result = r->n_results;
        r->needs_means |= r->item[i].fields[k].mean;
        any = 1;
      }
  if (any) r->field[r->n_results++] = f;
  return any;
}

static int find_results(triad_relaxation *r, const triad_flow *flow)
{
  const triad_shape *s = &flow->shape;
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "bodies and sponges", s->n_fields, &r->field));
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "bodies and sponges", s->n_fields, &r->sum_of));
  for (int f = 0; f < s->n_fields; f++)
    if (triad_velocity_sum_of(s, f) < 0 || flow->device) r->n_left += take_field(r, f);
  for (int f = 0, n = 0; f < s->n_fields && !flow->device; f++)
    if (triad_velocity_sum_of(s, f) >= 0 && take_field(r, f)) r->sum_of[n++] = triad_velocity_sum_of(s, f);
  return TRIAD_OK;
}

static int read_items(triad_relaxation *r, const triad_flow *flow)
{
  const int n = triad_relaxation_wanted(flow->given);
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "bodies and sponges", n, &r->item));
  r->n = n;
  for (int i = 0; i < n; i++) TRIAD_TRY(triad_relax_item_read(&r->item[i], flow->given, &flow->grid, &flow->shape, i));
  return TRIAD_OK;
}

static void set_work(const triad_relaxation *r, const triad_shape *s, triad_relax_field *f)
{
  const int axis = f->field - r->velocity;
  f->work = triad_relax_is_passive(&s->fields[f->field]) ? 0 : -1;
  f->hold = axis >= 0 && axis < 3 ? r->hold[axis] : 0;
}

static int make(triad_relaxation *r, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  const int threads = flow->context->threads;
  const triad_shape *s = &flow->shape;
  r->threads = threads;
  r->rests = 1;
  for (int i = 0; i < r->n; i++) r->rests &= !r->item[i].moves;
  TRIAD_TRY(find_results(r, flow));
  for (int i = 0; i < r->n; i++) {
    r->item[i].first_sum = r->n_sums;
    r->n_sums += TRIAD_RELAX_SUMS * r->item[i].n_fields + 1;
  }
  r->n_sums++;
  r->velocity = triad_shape_group(s, "velocity").first;
  triad_case_reals(flow->given, "equations.mean_velocity", r->hold, 3);
  for (int i = 0; i < r->n; i++)
    for (int f = 0; f < r->item[i].n_fields; f++) set_work(r, s, &r->item[i].fields[f]);
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", threads * r->n_sums, &r->sums));
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", r->n_sums, &r->now));
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", threads * TRIAD_RELAX_ROWS * flow->grid.n[0], &r->row));
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", s->n_fields, &r->mean));
  TRIAD_TRY(TRIAD_ALLOC(m, "bodies and sponges", threads, &r->missed));
  return TRIAD_ALLOC(m, "bodies and sponges", threads, &r->peak);
}

int triad_relaxation_count(const triad_relaxation *r) { return r ? r->n_results : 0; }

int triad_relaxation_left(const triad_relaxation *r) { return r ? r->n_left : 0; }

const int *triad_relaxation_sums(const triad_relaxation *r) { return r ? r->sum_of : NULL; }

int triad_relaxation_create(triad_relaxation **out, triad_flow *flow)
{
  *out = NULL;
  if (triad_relaxation_wanted(flow->given) == 0) return TRIAD_OK;
  const triad_comm *comm = &flow->context->comm;
  triad_relaxation *r = calloc(1, sizeof *r);
  int st = triad_agree(comm, r ? read_items(r, flow) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "bodies and sponges"));
  for (int i = 0; st == TRIAD_OK && i < r->n; i++)
    st = triad_relax_item_shape(&r->item[i], comm, flow->given, &flow->grid);
  if (st == TRIAD_OK) st = triad_agree(comm, make(r, flow));
  if (st == TRIAD_OK) st = triad_relax_store(r, flow);
  if (st == TRIAD_OK && flow->device) st = triad_relax_fastest(r, flow);
  if (st != TRIAD_OK) triad_relaxation_destroy(&r, flow->context);
  *out = r;
  return st;
}

void triad_relaxation_destroy(triad_relaxation **relaxation, triad_context *context)
{
  if (!relaxation || !*relaxation) return;
  triad_relaxation *r = *relaxation;
  triad_memory *m = context->memory;
  for (int i = 0; r->item && i < r->n; i++) triad_relax_item_clear(&r->item[i], m);
  TRIAD_FREE(m, &r->item);
  TRIAD_FREE(m, &r->field);
  TRIAD_FREE(m, &r->sum_of);
  TRIAD_FREE(m, &r->missed);
  TRIAD_FREE(m, &r->sums);
  TRIAD_FREE(m, &r->now);
  TRIAD_FREE(m, &r->row);
  TRIAD_FREE(m, &r->mean);
  TRIAD_FREE(m, &r->peak);
  free(r);
  *relaxation = NULL;
}

void triad_relaxation_describe(const triad_relaxation *r, const triad_flow *flow, triad_log *log)
{
  double h = 0;
  for (int a = 0; a < 3; a++)
    if (flow->grid.n[a] > 1) h = fmax(h, triad_grid_spacing(&flow->grid, a));
  for (int i = 0; r && i < r->n; i++) {
    const triad_relax_item *p = &r->item[i];
    if (p->is_body)
      triad_log_info(log, "  %s: permeability %.4g, mask %.3g grid spacings wide, %s", p->table, 1 / p->rate_scale,
                     p->delta / h, p->moves ? "moves" : "at rest");
    else triad_log_info(log, "  %s: relaxes %d fields", p->table, p->n_fields);
  }
}

double triad_relaxation_longest(const triad_relaxation *r, const triad_scheme *scheme)
{
  return r && r->longest > 0 && scheme->real_axis > 0 ? PART * scheme->real_axis / r->longest : INFINITY;
}

/* ---- work ---- */

double triad_relax_power_of_all(const triad_relaxation *r, const triad_flow *flow)
{
  double power = 0;
  for (int i = 0; i < r->n; i++) {
    power += triad_relax_power(r, flow, i, -1);
    for (int a = 0; a < 3; a++) power += r->hold[a] * triad_relax_force(r, i, r->velocity + a);
  }
  return power;
}

void triad_relaxation_stage(triad_relaxation *r, const triad_scheme *scheme, int stage, double dt)
{
  if (!r) return;
  const triad_stage *g = &scheme->stage[stage];
  const double power = r->now[r->n_sums - 1], was = stage > 0 ? r->reg : 0;
  r->work += (stage > 0 ? g->a * was : 0) + g->b * dt * power;
  r->reg = (stage > 0 ? g->d * was : 0) + g->e * dt * power;
}

double triad_relaxation_work(const triad_relaxation *r) { return r ? r->work : 0; }

/* ---- the current state ---- */

typedef struct measuring {
  triad_relaxation *r;
  triad_flow *flow;
} measuring;

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const measuring *m = self;
  for (int f = 0; f < m->flow->shape.n_fields; f++) triad_batch_put(block, m->flow->u[f], in[f]);
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const measuring *m = self;
  (void)out, (void)peaks;
  triad_relaxation_points(m->r, m->flow, at, in, NULL);
}

static int settle(void *self, const double *peaks)
{
  const measuring *m = self;
  (void)peaks;
  return triad_relaxation_settle(m->r, m->flow);
}

int triad_relaxation_measure(triad_relaxation *r, triad_flow *flow, double *power)
{
  measuring m = {r, flow};
  const triad_work pass = {
    .n_in = flow->shape.n_fields, .source = source, .points = points, .settle = settle, .any_order = 1, .self = &m};
  *power = 0;
  if (!r) return TRIAD_OK;
  TRIAD_TRY(triad_state_read_all(flow->state, TRIAD_HOST));
  TRIAD_TRY(triad_relaxation_at(r, flow, flow->at.t, 0));
  if (flow->device && r->needs_means) TRIAD_TRY(triad_relax_means(r, flow));
  triad_pass *here;
  TRIAD_TRY(triad_flow_borrow(flow, pass.n_in, 0, &here));
  const int st = triad_pass_run(here, &pass);
  triad_flow_return(flow, &here);
  TRIAD_TRY(st);
  *power = triad_relax_power_of_all(r, flow);
  return TRIAD_OK;
}
