#include "solvers/spectral/measure/measure.h"
#include "fft/transform.h"
#include "parallel/sum.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/gpu_part.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Room for one measurement: exact sums and shares of a column for each thread; what they come to, and what is observed. */
typedef struct room {
  triad_sum *sums; /* [thread][n_sums] */
  double *shares;  /* [thread][n_sums] */
  double *values;  /* [n_sums + n_observed] */
} room;

static int take_room(room *r, const triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  int64_t n = flow->shape.n_sums, threads = flow->context->threads;
  TRIAD_TRY(TRIAD_ALLOC(m, "budget", threads * n, &r->sums));
  TRIAD_TRY(TRIAD_ALLOC(m, "budget", threads * n, &r->shares));
  return TRIAD_ALLOC(m, "budget", n + flow->shape.n_observed, &r->values);
}

static void give_room(room *r, const triad_flow *flow)
{
  TRIAD_FREE(flow->context->memory, &r->sums);
  TRIAD_FREE(flow->context->memory, &r->shares);
  TRIAD_FREE(flow->context->memory, &r->values);
}

static int sum_modes(triad_flow *flow, room *r)
{
  const triad_equations *eq = flow->equations;
  const triad_layout *l = flow->layout;
  const triad_cplx *const *u = (const triad_cplx *const *)flow->u;
  int n = flow->shape.n_sums, threads = flow->context->threads;
  for (int64_t s = 0; s < (int64_t)threads * n; s++) triad_sum_clear(&r->sums[s]);
#pragma omp parallel num_threads(threads)
  {
    int64_t first = (int64_t)omp_get_thread_num() * n;
    triad_sum *mine = r->sums + first;
    double *share = r->shares + first;
#pragma omp for schedule(static)
    for (int64_t c = 0; c < l->n_columns; c++) {
      eq->sums(flow->self, l, c, u, share);
      for (int s = 0; s < n; s++) triad_sum_add(&mine[s], share[s]);
    }
  }
  for (int t = 1; t < threads; t++)
    for (int s = 0; s < n; s++) triad_sum_merge(&r->sums[s], &r->sums[(int64_t)t * n + s]);
  return triad_sum_all(&flow->context->comm, r->sums, n, r->values);
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

static int settle(void *self, const double *peaks)
{
  extremes *e = self;
  double mine[TRIAD_PEAKS];
  for (int i = 0; i < TRIAD_PEAKS; i++) mine[i] = isnan(peaks[i]) ? INFINITY : peaks[i];
  return TRIAD_MPI(
      MPI_Allreduce(mine, e->largest, TRIAD_PEAKS, MPI_DOUBLE, MPI_MAX, e->flow->context->comm.mpi));
}

static int measure_here(triad_flow *flow, room *r, double peaks[TRIAD_PEAKS])
{
  const triad_equations *eq = flow->equations;
  extremes e = {.flow = flow};
  triad_work work = {.n_in = EXTREME_FIELDS, .source = source, .points = points, .settle = settle, .any_order = 1,
                     .self = &e};
  for (int i = 0; i < TRIAD_PEAKS; i++) e.largest[i] = 0;
  if (eq->extremes) TRIAD_TRY(triad_pass_run(flow->pass, &work));
  TRIAD_TRY(sum_modes(flow, r));
  if (!isfinite(r->values[0]) || !isfinite(e.largest[TRIAD_PEAK_ADVECTION])) return TRIAD_ERR_BLOWUP;
  memcpy(peaks, e.largest, sizeof e.largest);
  if (!eq->observe) return TRIAD_OK;
  return eq->observe(flow->self, flow->pass, (const triad_cplx *const *)flow->u, r->values + flow->shape.n_sums);
}

static int measure(triad_flow *flow, room *r, double *columns)
{
  double peaks[TRIAD_PEAKS];
  TRIAD_TRY(flow->device ? triad_spectral_gpu->measure.budget(flow, r->values, peaks) : measure_here(flow, r, peaks));
  triad_series_inputs inputs = {.dt = flow->at.dt,
                         .advection_rate = peaks[TRIAD_PEAK_ADVECTION],
                         .u_max = sqrt(peaks[TRIAD_PEAK_SPEED2])};
  TRIAD_TRY(triad_forcing_injection(flow->forcing, flow, &inputs.injection));
  flow->equations->series(flow->self, r->values, &inputs, columns);
  return TRIAD_OK;
}

int triad_budget_measure(void *self, double *columns)
{
  triad_flow *flow = self;
  room r = {NULL, NULL, NULL};
  int st = triad_agree(&flow->context->comm, take_room(&r, flow));
  if (st == TRIAD_OK) st = measure(flow, &r, columns);
  give_room(&r, flow);
  return st;
}
