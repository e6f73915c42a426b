/* Budgets on a GPU: rows are summed there, in an order that depends on their length alone; rows exactly here. */
#include "solvers/weno/gpu_own.h"

#include <math.h>

static void merge_rows(const triad_weno *w, const double *rows, triad_sum sums[TRIAD_WENO_SUMS],
                       double extreme[TRIAD_WENO_EXTREMES])
{
  int64_t n = w->blocks.local[1] * w->blocks.local[2];
  for (int e = 0; e < TRIAD_WENO_EXTREMES; e++) extreme[e] = rows[TRIAD_WENO_SUMS + e];
#pragma omp parallel for schedule(static) num_threads(triad_weno_threads(w, n))
  for (int s = 0; s < TRIAD_WENO_SUMS; s++) {
    triad_sum_clear(&sums[s]);
    for (int64_t i = 0; i < n; i++) triad_sum_add(&sums[s], rows[i * TRIAD_WENO_GPU_NUMBERS + s]);
  }
  for (int64_t i = 1; i < n; i++)
    for (int e = 0; e < TRIAD_WENO_EXTREMES; e++)
      extreme[e] = fmax(extreme[e], rows[i * TRIAD_WENO_GPU_NUMBERS + TRIAD_WENO_SUMS + e]);
}

int triad_weno_gpu_sum(triad_weno *w, triad_sum sums[TRIAD_WENO_SUMS], double extreme[TRIAD_WENO_EXTREMES])
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  int64_t n = w->blocks.local[1] * w->blocks.local[2] * TRIAD_WENO_GPU_NUMBERS;
  double *rows = NULL;
  int st = triad_weno_gpu_sweep(w, g->set[0], NULL);
  if (st == TRIAD_OK) st = TRIAD_TAKE(w->context->memory, "sums of budgets", n, &rows);
  if (st == TRIAD_OK) st = triad_weno_gpu_terms(&g->kernel, &d, g->rows, triad_device_stream(g->device));
  if (st == TRIAD_OK) st = triad_device_get(g->device, rows, g->rows, n * (int64_t)sizeof *rows);
  if (st == TRIAD_OK) merge_rows(w, rows, sums, extreme);
  TRIAD_GIVE(w->context->memory, &rows);
  return st;
}

int triad_weno_gpu_count(triad_weno *w, double bound, int64_t *count)
{
  struct triad_weno_on_gpu *g = w->gpu;
  const triad_weno_differences d = triad_weno_differences_of(w);
  unsigned long long here = 0;
  TRIAD_TRY(triad_weno_gpu_below(&g->kernel, &d, bound, g->count, triad_device_stream(g->device)));
  TRIAD_TRY(triad_device_get(g->device, &here, g->count, sizeof here));
  *count = (int64_t)here;
  return TRIAD_OK;
}
