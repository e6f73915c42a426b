/* Means over planes across z, by columns: <a b>(z) = sum over columns of weight Re(a conj b) at z. */
#include "parallel/lane_sums.h"
#include "solvers/spectral/flow_pass.h"
#include "fft/pass/pass_columns.h"
#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/measure/plane_means.h"

#include <string.h>

typedef struct work {
  const triad_flow *flow;
  const triad_point_job *job;
  triad_lane_sums *sums; /* [threads] of [product][z] */
} work;

/* With modes of Nyquist a column is no longer the whole of its waves. */
int triad_plane_means_can(const triad_flow *flow, const triad_point_job *job)
{
  return job->n_products > 0 && !job->moments && job->bins == 0 && !job->profile[0][0] && !job->profile[1][0] &&
         flow->grid.truncation != TRIAD_NONE;
}

static int64_t room(int64_t n) { return (triad_lane_sums_bytes(n) + 63) / 64 * 64; }

int64_t triad_plane_means_memory(const triad_layout *l, int threads)
{
  const int64_t n = TRIAD_POINT_PRODUCTS * l->grid.n[2];
  return threads * (room(n) + (int64_t)sizeof(triad_lane_sums) + n * (int64_t)sizeof(triad_sum));
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const work *w = self;
  triad_point_inputs(w->flow, w->job, block, in);
}

/* Eight columns at one z, of a product; alone: 1 in the column of kx = ky = 0. */
static void multiply(const double *weight, const double *alone, const triad_cplx *a, const triad_cplx *b, double *x)
{
  if (b)
    for (int i = 0; i < TRIAD_SUM_LANES; i++)
      x[i] = weight[i] * ((double)a[i].re * (double)b[i].re + (double)a[i].im * (double)b[i].im);
  else
    for (int i = 0; i < TRIAD_SUM_LANES; i++) x[i] = alone[i] * (double)a[i].re;
}

static void visit(void *self, int thread, int64_t block, triad_cplx *const *in)
{
  const work *w = self;
  const triad_layout *l = w->flow->layout;
  const int64_t nz = l->grid.n[2];
  triad_lane_sums *sums = &w->sums[thread];
  for (int64_t lane = 0; lane < TRIAD_LANES; lane += TRIAD_SUM_LANES) {
    const int64_t first = block * TRIAD_LANES + lane;
    const double *weight = l->weight + first;
    double alone[TRIAD_SUM_LANES], x[TRIAD_SUM_LANES] __attribute__((aligned(64)));
    int any = 0;
    for (int i = 0; i < TRIAD_SUM_LANES; i++) {
      alone[i] = l->kx[first + i] == 0 && l->ky[first + i] == 0 && weight[i] > 0;
      any |= alone[i] > 0;
    }
    triad_lane_sums_round(sums);
    for (int p = 0; p < w->job->n_products; p++) {
      const triad_point_product *q = &w->job->product[p];
      if (q->b < 0 && !any) continue;
      for (int64_t z = 0; z < nz; z++) {
        const int64_t at = z * TRIAD_LANES + lane;
        multiply(weight, alone, in[q->a] + at, q->b < 0 ? NULL : in[q->b] + at, x);
        triad_lane_sums_add(sums, p * nz + z, x);
      }
    }
  }
}

static int run_pass(const work *w, triad_flow *flow, triad_sum *all, double *values)
{
  const triad_work pass_work = {.n_in = w->job->n_in, .source = source, .self = (void *)(uintptr_t)w};
  const int64_t nz = flow->grid.n[2], n = w->job->n_products * nz;
  const int threads = flow->context->threads;
  triad_pass *pass;
  TRIAD_TRY(triad_flow_borrow(flow, w->job->n_in, 0, &pass));
  triad_pass_columns(pass, &pass_work, visit);
  triad_flow_return(flow, &pass);
  for (int t = 0; t < threads; t++) triad_lane_sums_empty(&w->sums[t]);
  TRIAD_TRY(triad_sum_threads(&flow->context->comm, all, n, threads, values));
  for (int p = 0; p < w->job->n_products; p++)
    memcpy(w->job->profile[2][p], values + p * nz, (size_t)nz * sizeof *values);
  return TRIAD_OK;
}

int triad_plane_means(triad_flow *flow, triad_point_job *job)
{
  triad_memory *memory = flow->context->memory;
  const int64_t n = job->n_products * flow->grid.n[2];
  const int threads = flow->context->threads;
  work w = {.flow = flow, .job = job};
  char *lanes = NULL;
  triad_sum *all = NULL;
  double *values = NULL;
  int st = TRIAD_ALLOC(memory, "means", threads, &w.sums);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "means", threads * room(n), &lanes);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "means", threads * n, &all);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "means", n, &values);
  st = triad_agree(&flow->context->comm, st);
  for (int t = 0; st == TRIAD_OK && t < threads; t++)
    triad_lane_sums_create(&w.sums[t], n, lanes + t * room(n), all + t * n);
  if (st == TRIAD_OK) st = run_pass(&w, flow, all, values);
  TRIAD_FREE(memory, &values);
  TRIAD_FREE(memory, &all);
  TRIAD_FREE(memory, &lanes);
  TRIAD_FREE(memory, &w.sums);
  return st;
}
