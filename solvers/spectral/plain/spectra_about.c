/* Compute spectra over k_perp, k_par and both, about an axis. */
#include "parallel/sum.h"
#include "solvers/spectral/plain/spectra_about.h"
#include "solvers/spectral/measure/loops.h"

#include <omp.h>

enum { GROUP_BYTES = 64 << 20 };

/* A group of planes begin .. end - 1; sums[((p - begin) * n + i) * rings + r]. */
typedef struct group {
  const triad_flow *flow;
  const triad_bins *bins;
  int64_t begin, end, n;
  triad_sum *sums;
  double *density; /* [thread][n], for work */
} group;

static void add_mode(const group *g, int64_t plane, int64_t c, int64_t j)
{
  const triad_layout *l = g->flow->layout;
  if (l->kz[j] > l->kz_extent[c] || -l->kz[j] > l->kz_extent[c]) return;
  double w[3];
  triad_layout_size(l, c, j, w);
  double *density = g->density + omp_get_thread_num() * g->n;
  triad_sum *sums = g->sums + (plane - g->begin) * g->n * g->bins->rings + triad_bins_ring(g->bins, w);
  g->flow->equations->densities(g->flow->self, l, c, j, (const triad_cplx *const *)g->flow->u, density);
  for (int64_t i = 0; i < g->n; i++) triad_sum_add(&sums[i * g->bins->rings], density[i]);
}

/* One thread has a plane for itself, so that threads need no sums of their own. */
static void add_plane(const group *g, int64_t plane)
{
  const triad_layout *l = g->flow->layout;
  if (g->bins->axis == 2) {
    for (int64_t j = 0; j < l->nkz; j++)
      for (int64_t c = 0; triad_bins_plane(g->bins, l->size_z[j]) == plane && c < l->n_columns; c++)
        add_mode(g, plane, c, j);
    return;
  }
  const double *along = g->bins->axis == 0 ? l->size_x : l->size_y;
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; triad_bins_plane(g->bins, along[c]) == plane && j < l->nkz; j++) add_mode(g, plane, c, j);
}

/* From the totals of a group to what becomes of them: `rings` gather what all planes have. */
static void spread(const group *g, const double *values, triad_sum *rings, double *par, double *both)
{
  int64_t n_rings = g->bins->rings, n_planes = g->bins->planes;
  for (int64_t p = g->begin; p < g->end; p++)
    for (int64_t i = 0; i < g->n; i++) {
      int64_t from = ((p - g->begin) * g->n + i) * n_rings;
      triad_sum plane;
      triad_sum_clear(&plane);
      for (int64_t r = 0; r < n_rings; r++) {
        both[(i * n_rings + r) * n_planes + p] = values[from + r];
        triad_sum_merge(&plane, &g->sums[from + r]);
        triad_sum_merge(&rings[i * n_rings + r], &g->sums[from + r]);
      }
      par[i * n_planes + p] = triad_sum_value(&plane);
    }
}

static int check(const triad_flow *flow, const char *over, int64_t n, const double *spectrum, double energy)
{
  /* a column's share of the energy was rounded once for each mode; each value, and this sum, once */
  double tolerance = (double)(flow->layout->nkz + 8) * 2.3e-16 * fabs(energy) + DBL_MIN;
  triad_sum sum;
  triad_sum_clear(&sum);
  triad_sum_add_array(&sum, n, spectrum);
  if (fabs(triad_sum_value(&sum) - energy) <= tolerance) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "the spectrum over %s sums to %.17g but the energy is %.17g", over,
                    triad_sum_value(&sum), energy);
}

static int sweep(group *g, int64_t planes, triad_sum *rings, double *values, double *par, double *both)
{
  const triad_context *context = g->flow->context;
  for (g->begin = 0; g->begin < g->bins->planes; g->begin = g->end) {
    g->end = g->begin + planes < g->bins->planes ? g->begin + planes : g->bins->planes;
    int64_t all = (g->end - g->begin) * g->n * g->bins->rings;
    for (int64_t i = 0; i < all; i++) triad_sum_clear(&g->sums[i]);
#pragma omp parallel for schedule(dynamic, 1) num_threads(context->threads)
    for (int64_t p = g->begin; p < g->end; p++) add_plane(g, p);
    TRIAD_TRY(triad_sum_all(&context->comm, g->sums, (int)all, values));
    spread(g, values, rings, par, both);
  }
  return TRIAD_OK;
}

int triad_spectra_about_host(triad_flow *flow, const triad_bins *bins, double *perp, double *par, double *both)
{
  triad_memory *m = flow->context->memory;
  group g = {.flow = flow, .bins = bins, .n = flow->shape.n_spectra};
  int64_t plane = g.n * bins->rings, planes = GROUP_BYTES / (plane * (int64_t)sizeof(triad_sum));
  if (planes > bins->planes) planes = bins->planes;
  if (planes < 1) planes = 1;
  triad_sum *rings = NULL;
  double *values = NULL;
  int narrow = 0, st = TRIAD_ALLOC(m, "spectra sums", planes * plane, &g.sums);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "spectra sums", plane, &rings);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "spectra values", planes * plane, &values);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "spectra values", g.n * flow->context->threads, &g.density);
  if (st == TRIAD_OK) st = triad_narrow(planes * plane, &narrow);
  st = triad_agree(&flow->context->comm, st);
  if (st == TRIAD_OK) st = triad_agree(&flow->context->comm, sweep(&g, planes, rings, values, par, both));
  for (int64_t i = 0; st == TRIAD_OK && i < plane; i++) perp[i] = triad_sum_value(&rings[i]);
  TRIAD_FREE(m, &values);
  TRIAD_FREE(m, &rings);
  TRIAD_FREE(m, &g.sums);
  TRIAD_FREE(m, &g.density);
  return st;
}

int triad_spectra_about(triad_flow *flow, const triad_bins *bins, double energy, double *perp, double *par,
                        double *both)
{
  int st = flow->measure->about(flow, bins, perp, par, both);
  if (st != TRIAD_OK) return st;
  st = check(flow, "k_perp", bins->rings, perp, energy);
  if (st == TRIAD_OK) st = check(flow, "k_par", bins->planes, par, energy);
  if (st == TRIAD_OK) st = check(flow, "k_perp and k_par", bins->rings * bins->planes, both, energy);
  return triad_agree(&flow->context->comm, st);
}
