/* Measure the numbers of a row of the series: sums over modes, and extremes at points by one pass. */
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/measure/loops.h"
#include "solvers/spectral/measure/aliasing.h"
#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/measure/transfer.h"
#include "solvers/spectral/plain/spectra_about.h"
#include "fft/pass/transform.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/follow.h"
#include "solvers/spectral/plain/follow_column.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/relax/relax.h"
#include "solvers/spectral/relax/plain/relax_series.h"
#include "solvers/spectral/shear/shear.h"

#include <math.h>
#include <string.h>

static void add_sums(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  double share[flow->shape.n_sums];
  (void)self;
  flow->equations->sums(flow->self, flow->layout, c, (const triad_cplx *const *)flow->u, share);
  for (int s = 0; s < flow->shape.n_sums; s++) triad_sum_add(&sums[s], share[s]);
}

enum { EXTREME_FIELDS = 3 };

typedef struct extremes {
  triad_flow *flow;
  double largest[TRIAD_PEAKS];
} extremes;

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_flow *flow = ((const extremes *)self)->flow;
  for (int f = 0; f < EXTREME_FIELDS; f++) triad_batch_put(block, flow->u[f], in[f]);
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_flow *flow = ((const extremes *)self)->flow;
  flow->equations->extremes(flow->self, at, in, out, peaks);
}

static int settle_peaks(void *self, const double *peaks)
{
  extremes *e = self;
  double mine[TRIAD_PEAKS];
  for (int i = 0; i < TRIAD_PEAKS; i++) mine[i] = isnan(peaks[i]) ? INFINITY : peaks[i];
  return TRIAD_MPI(MPI_Allreduce(mine, e->largest, TRIAD_PEAKS, MPI_DOUBLE, MPI_MAX, e->flow->context->comm.mpi));
}

static int find_budget(triad_flow *flow, double *values, double peaks[TRIAD_PEAKS])
{
  const triad_equations *eq = flow->equations;
  extremes e = {.flow = flow};
  triad_work work = {
    .n_in = EXTREME_FIELDS, .source = source, .points = points, .settle = settle_peaks, .any_order = 1, .self = &e};
  for (int i = 0; i < TRIAD_PEAKS; i++) e.largest[i] = 0;
  if (eq->extremes) TRIAD_TRY(triad_pass_run(flow->pass, &work));
  TRIAD_TRY(triad_columns_sum(flow, flow->shape.n_sums, add_sums, NULL, values));
  if (!isfinite(values[0]) || !isfinite(e.largest[TRIAD_PEAK_ADVECTION])) return TRIAD_ERR_BLOWUP;
  memcpy(peaks, e.largest, sizeof e.largest);
  if (!eq->observe) return TRIAD_OK;
  return eq->observe(flow->self, flow->pass, (const triad_cplx *const *)flow->u, values + flow->shape.n_sums);
}

static int measure(triad_flow *flow, double *values, double *columns)
{
  double peaks[TRIAD_PEAKS];
  TRIAD_TRY(flow->measure->budget(flow, values, peaks));
  triad_series_inputs inputs = {
    .dt = flow->at.dt, .advection_rate = peaks[TRIAD_PEAK_ADVECTION], .u_max = sqrt(peaks[TRIAD_PEAK_SPEED2])};
  flow->equations->series(flow->self, values, &inputs, columns); /* what a force puts in may be of these */
  TRIAD_TRY(triad_forcing_injection(flow->forcing, flow, columns, &inputs.injection));
  double relaxed = 0, sheared;
  if (flow->relaxation) TRIAD_TRY(triad_relaxation_measure(flow->relaxation, flow, &relaxed));
  TRIAD_TRY(triad_shear_measure(flow->shear, flow, &sheared, columns));
  inputs.injection += relaxed + sheared;
  flow->equations->series(flow->self, values, &inputs, columns);
  TRIAD_TRY(triad_closure_measure(flow, columns));
  triad_forcing_work(flow, columns);
  triad_relaxation_series(flow->relaxation, flow, columns);
  triad_follow_measure(flow, columns);
  const int aliasing = triad_aliasing_place(&flow->shape);
  return aliasing < 0 ? TRIAD_OK : triad_aliasing_measure(flow, &columns[aliasing]);
}

/* ---- the work of forces ---- */

static void add_squares(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_layout *l = flow->layout;
  int first, components;
  (void)self;
  triad_forcing_fields(flow->forcing, &first, &components);
  for (int f = first; f < first + components; f++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const triad_cplx u = flow->u[f][triad_layout_place(l, c, j)];
      triad_sum_add(sums, l->weight[c] * ((double)u.re * (double)u.re + (double)u.im * (double)u.im));
    }
}

static int find_squares(triad_flow *flow, double *square)
{
  return square ? triad_columns_sum(flow, 1, add_squares, NULL, square) : TRIAD_OK;
}

/* The power of a force that is measured, for the state as it is [U^2/T]. */
static int power_now(triad_flow *flow, double *power)
{
  const double growth = triad_forcing_growth(flow->forcing);
  double square = 0;
  TRIAD_TRY(flow->measure->force(flow, growth > 0 ? &square : NULL));
  *power = growth * square;
  return growth > 0 ? TRIAD_OK : triad_forcing_injection(flow->forcing, flow, NULL, power);
}

int triad_work_begin(triad_flow *flow)
{
  double power;
  if (!triad_forcing_begins(flow->forcing)) return TRIAD_OK;
  TRIAD_TRY(power_now(flow, &power));
  triad_forcing_set_end(flow->forcing, power);
  return TRIAD_OK;
}

int triad_work_count(triad_flow *flow)
{
  double power = 0;
  if (triad_forcing_measures(flow->forcing)) TRIAD_TRY(power_now(flow, &power));
  triad_forcing_count(flow, power);
  return TRIAD_OK;
}

static int find_modes(triad_flow *flow, double *columns)
{
  const triad_series_inputs inputs = {.dt = flow->at.dt};
  double *values = NULL;
  triad_memory *m = flow->context->memory;
  TRIAD_TRY(
    triad_agree(&flow->context->comm, TRIAD_ALLOC(m, "budget", flow->shape.n_sums + flow->shape.n_observed, &values)));
  int st = triad_columns_sum(flow, flow->shape.n_sums, add_sums, NULL, values);
  if (st == TRIAD_OK && !isfinite(values[0])) st = TRIAD_ERR_BLOWUP;
  if (st == TRIAD_OK) flow->equations->series(flow->self, values, &inputs, columns);
  TRIAD_FREE(m, &values);
  return st;
}

int triad_budget_modes(triad_flow *flow, double *columns)
{
  for (int c = 0; c < flow->shape.n_columns; c++) columns[c] = NAN;
  return flow->measure->modes(flow, columns);
}

int triad_budget_measure(void *self, double *columns)
{
  triad_flow *flow = self;
  double *values = NULL; /* sums, then what is observed */
  triad_memory *m = flow->context->memory;
  int st = TRIAD_ALLOC(m, "budget", flow->shape.n_sums + flow->shape.n_observed, &values);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = measure(flow, values, columns);
  TRIAD_FREE(m, &values);
  return st;
}

const triad_measure_loops triad_measure_host = {.budget = find_budget,
                                                .modes = find_modes,
                                                .force = find_squares,
                                                .shells = triad_spectra_shells_host,
                                                .about = triad_spectra_about_host,
                                                .transfer = triad_transfer_host,
                                                .points = triad_point_sums_host,
                                                .aliasing = triad_aliasing_host};
