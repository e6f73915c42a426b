#include "solvers/spectral/measure/spectra.h"

#include "parallel/sum.h"
#include "solvers/spectral/gpu_part.h"
#include "grid/shells.h"

#include <math.h>

/* density [n_spectra] is for work. */
static void add_column(const triad_flow *flow, int64_t c, int64_t shells, double *density, triad_sum *sums)
{
  const triad_equations *eq = flow->equations;
  const triad_layout *l = flow->layout;
  for (int64_t j = 0; j < l->nkz; j++) {
    if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) continue;
    const double w[3] = {l->wx[c], l->wy[c], l->wz[j]};
    int64_t shell = triad_shell(&l->grid, w);
    eq->densities(flow->self, l, c, j, (const triad_cplx *const *)flow->u, density);
    for (int i = 0; i < flow->shape.n_spectra; i++) triad_sum_add(&sums[i * shells + shell], density[i]);
  }
}

/* A column's share of the energy was rounded once for each mode, nkz of them: the two sums may differ by so much. */
static int check_sum(const triad_flow *flow, double energy, int64_t shells, const double *spectrum)
{
  double sum = 0, tolerance = (double)(flow->layout->nkz + shells + 8) * 2.3e-16 * fabs(energy);
  for (int64_t s = 0; s < shells; s++) sum += spectrum[s];
  if (fabs(sum - energy) <= tolerance) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum sums to %.17g but the energy is %.17g", sum, energy);
}

static int sum_here(triad_flow *flow, int64_t shells, double *values)
{
  int64_t all = shells * flow->shape.n_spectra;
  triad_memory *m = flow->context->memory;
  int threads = flow->context->threads, n = 0;
  triad_sum *sums = NULL;
  double *density = NULL; /* [thread][n_spectra] */
  int st = TRIAD_TAKE(m, "shell sums", all * threads, &sums);
  if (st == TRIAD_OK) st = TRIAD_TAKE(m, "shell sums", (int64_t)flow->shape.n_spectra * threads, &density);
  if (st == TRIAD_OK) st = triad_narrow(all, &n);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
      int64_t begin = triad_deal(flow->layout->n_columns, t, threads);
      int64_t end = triad_deal(flow->layout->n_columns, t + 1, threads);
      for (int64_t c = begin; c < end; c++) add_column(flow, c, shells, density + t * flow->shape.n_spectra, sums + t * all);
    }
    for (int t = 1; t < threads; t++)
      for (int64_t i = 0; i < all; i++) triad_sum_merge(&sums[i], &sums[t * all + i]);
    st = triad_sum_all(&flow->context->comm, sums, n, values);
  }
  TRIAD_GIVE(m, &sums);
  TRIAD_GIVE(m, &density);
  return st;
}

int triad_spectra_shells(triad_flow *flow, double energy, double *values)
{
  int64_t shells = triad_shell_count(&flow->grid);
  if (flow->device) TRIAD_TRY(triad_agree(&flow->context->comm, triad_spectral_gpu->measure.shells(flow, values)));
  else TRIAD_TRY(sum_here(flow, shells, values));
  return check_sum(flow, energy, shells, values);
}
