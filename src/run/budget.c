#include "run/budget.h"

#include "fft/transform.h"
#include "parallel/sum.h"
#include "run/forcing.h"
#include "run/gpu_measure.h"

#include <math.h>
#include <string.h>

static int sum_modes(triad_flow *flow, double *sums)
{
  const triad_equations *eq = flow->equations;
  const triad_shape *shape = &flow->shape;
  const triad_layout *l = flow->layout;
  const triad_cplx *const *u = (const triad_cplx *const *)flow->u;
  triad_sum total[TRIAD_MOST_SUMS];
  for (int s = 0; s < shape->n_sums; s++) triad_sum_clear(&total[s]);
#pragma omp parallel num_threads(flow->context->threads)
  {
    triad_sum mine[TRIAD_MOST_SUMS];
    double share[TRIAD_MOST_SUMS];
    for (int s = 0; s < shape->n_sums; s++) triad_sum_clear(&mine[s]);
#pragma omp for schedule(static)
    for (int64_t c = 0; c < l->n_columns; c++) {
      eq->sums(flow->self, l, c, u, share);
      for (int s = 0; s < shape->n_sums; s++) triad_sum_add(&mine[s], share[s]);
    }
#pragma omp critical(triad_budget)
    for (int s = 0; s < shape->n_sums; s++) triad_sum_merge(&total[s], &mine[s]);
  }
  return triad_sum_all(&flow->context->comm, total, shape->n_sums, sums);
}

enum { EXTREME_FIELDS = 3 };

typedef struct extremes {
  triad_flow *flow;
  double largest[TRIAD_PEAKS];
} extremes;

static void source(void *self, const triad_block *block, triad_cplx *const *in)
{
  const triad_flow *flow = ((const extremes *)self)->flow;
  for (int f = 0; f < EXTREME_FIELDS; f++) triad_block_put(block, flow->u[f], in[f]);
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

static int measure_here(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS])
{
  const triad_equations *eq = flow->equations;
  extremes e = {.flow = flow};
  triad_work work = {.n_in = EXTREME_FIELDS, .source = source, .points = points, .settle = settle, .self = &e};
  for (int i = 0; i < TRIAD_PEAKS; i++) e.largest[i] = 0;
  if (eq->extremes) TRIAD_TRY(triad_pass_run(flow->pass, &work));
  TRIAD_TRY(sum_modes(flow, sums));
  if (!isfinite(sums[0]) || !isfinite(e.largest[TRIAD_PEAK_ADVECTION])) return TRIAD_ERR_BLOWUP;
  memcpy(peaks, e.largest, sizeof e.largest);
  if (!eq->observe) return TRIAD_OK;
  return eq->observe(flow->self, flow->pass, (const triad_cplx *const *)flow->u, sums + flow->shape.n_sums);
}

int triad_budget_measure(triad_flow *flow, double *columns)
{
  double sums[TRIAD_MOST_SUMS], peaks[TRIAD_PEAKS];
  TRIAD_TRY(flow->device ? triad_gpu_measure_budget(flow, sums, peaks) : measure_here(flow, sums, peaks));
  triad_moment moment = {.dt = flow->dt,
                         .advection_rate = peaks[TRIAD_PEAK_ADVECTION],
                         .u_max = sqrt(peaks[TRIAD_PEAK_SPEED2])};
  TRIAD_TRY(triad_forcing_injection(flow->forcing, flow, &moment.injection));
  flow->equations->series(flow->self, sums, &moment, columns);
  return TRIAD_OK;
}
