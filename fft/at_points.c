#include "fft/at_points_own.h"

#include "base/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double triad_at_reduce(double x, double length)
{
  double r = fmod(x, length);
  if (r < 0) r += length;
  return r < length ? r : 0;
}

/* exp(i k 2 pi r/L) for the wavenumbers of a table: out[n][2]. */
static void waves(int64_t n, const int32_t *k, double r, double length, double *out)
{
  for (int64_t j = 0; j < n; j++) {
    double phase = 2 * TRIAD_PI * (k[j] * (r / length));
    out[2 * j] = cos(phase);
    out[2 * j + 1] = sin(phase);
  }
}

/* Sums of a column along kz: moments[m] = sum_kz (i kz)^m u(k) exp(i kz z), m = 0 to 2. */
static void along_z(int64_t n, const double *modes, const double *wave, const double *wz, double moments[3][2])
{
  double s[6] = {0};
  for (int64_t j = 0; j < n; j++) {
    double re = modes[2 * j] * wave[2 * j] - modes[2 * j + 1] * wave[2 * j + 1];
    double im = modes[2 * j] * wave[2 * j + 1] + modes[2 * j + 1] * wave[2 * j];
    double w = wz[j];
    s[0] += re;
    s[1] += im;
    s[2] -= w * im;
    s[3] += w * re;
    s[4] -= w * w * re;
    s[5] -= w * w * im;
  }
  memcpy(moments, s, sizeof s);
}

/* A column's share of a point's numbers. */
static void add_column(const triad_layout *l, int64_t c, const double wave[2], double moments[3][2], int derivatives,
                       double *sum)
{
  double re[3], im[3], w = l->weight[c], x = l->wx[c], y = l->wy[c];
  for (int m = 0; m < 3; m++) {
    re[m] = w * (moments[m][0] * wave[0] - moments[m][1] * wave[1]);
    im[m] = w * (moments[m][0] * wave[1] + moments[m][1] * wave[0]);
  }
  sum[0] += re[0];
  if (derivatives < 1) return;
  sum[1] -= x * im[0];
  sum[2] -= y * im[0];
  sum[3] += re[1];
  if (derivatives < 2) return;
  sum[4] -= x * x * re[0];
  sum[5] -= y * y * re[0];
  sum[6] += re[2];
  sum[7] -= x * y * re[0];
  sum[8] -= x * im[1];
  sum[9] -= y * im[1];
}

static void sum_point(const triad_at_points *at, const double *modes, const double x[3], double *wave, double *sum)
{
  const triad_layout *l = at->layout;
  const double *length = l->grid.length;
  double r[3], moments[3][2];
  for (int i = 0; i < 3; i++) r[i] = triad_at_reduce(x[i], length[i]);
  waves(l->nkz, l->kz, r[2], length[2], wave);
  memset(sum, 0, TRIAD_AT_MOST * sizeof *sum);
  for (int64_t c = 0; c < l->all_columns; c++) {
    double phase = 2 * TRIAD_PI * (l->kx[c] * (r[0] / length[0]) + l->ky[c] * (r[1] / length[1]));
    along_z(l->nkz, modes + 2 * c * l->nkz, wave, l->wz, moments);
    add_column(l, c, (double[2]){cos(phase), sin(phase)}, moments, at->derivatives, sum);
  }
}

static void sum_all(const triad_at_points *at, const double *modes, double *values)
{
  int numbers = triad_at_numbers(at->derivatives);
#pragma omp parallel for schedule(dynamic, 1) num_threads(at->threads)
  for (int64_t p = 0; p < at->n; p++) {
    double sum[TRIAD_AT_MOST], wave[2 * at->layout->nkz];
    sum_point(at, modes, at->x + 3 * p, wave, sum);
    memcpy(values + p * numbers, sum, (size_t)numbers * sizeof *sum);
  }
}

/* Rough times [ns] of both ways, on one core. */
static int grid_is_cheaper(const triad_layout *l, int64_t n, int order)
{
  double points = 1, numbers = triad_at_numbers(order);
  for (int i = 0; i < 3; i++) points *= (double)triad_at_grid_size(l->grid.kmax[i]);
  return 1.3 * (double)n * (double)l->all_columns * (double)l->nkz > numbers * (20 * points + 300. * (double)n);
}

int triad_at_points_create(triad_at_points **out, const triad_layout *layout, int64_t n, const double *x, int order,
                           triad_at_way way, int threads)
{
  triad_at_points *at = calloc(1, sizeof *at);
  *out = at;
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  *at = (triad_at_points){.layout = layout, .n = n, .x = x, .derivatives = order, .threads = threads};
  if (way == TRIAD_AT_SUMS || (way == TRIAD_AT_CHEAPEST && !grid_is_cheaper(layout, n, order))) return TRIAD_OK;
  int st = triad_at_grid_create(&at->grid, at);
  if (st != TRIAD_OK) triad_at_points_destroy(out);
  return st;
}

void triad_at_points_destroy(triad_at_points **at)
{
  if (!*at) return;
  triad_at_grid_destroy(&(*at)->grid);
  free(*at);
  *at = NULL;
}

void triad_at_points_run(triad_at_points *at, const double *modes, double *values)
{
  if (at->grid) triad_at_grid_run(at, modes, values);
  else sum_all(at, modes, values);
}

int triad_at_points_gridded(const triad_at_points *at) { return at->grid != NULL; }
