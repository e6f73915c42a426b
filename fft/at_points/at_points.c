/* Evaluate a field and its derivatives at points by direct sums over modes, and choose between sums and the
 * non-uniform transform by their estimated times. */
#include "fft/at_points/at_points_internal.h"
#include "fft/at_points/at_points_fine.h"
#include "fft/at_points/at_points_grid.h"

#include "base/clock.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static void add_column(const triad_layout *l, int64_t c, const double wave[2], double moments[3][2], unsigned wanted,
                       double *sum)
{
  double re[3], im[3], w = l->weight[c], x = l->wx[c], y = l->wy[c];
  for (int m = 0; m < 3; m++) {
    re[m] = w * (moments[m][0] * wave[0] - moments[m][1] * wave[1]);
    im[m] = w * (moments[m][0] * wave[1] + moments[m][1] * wave[0]);
  }
  sum[0] += re[0];
  if (wanted >> triad_at_numbers(0) == 0) return;
  sum[1] -= x * im[0];
  sum[2] -= y * im[0];
  sum[3] += re[1];
  if (wanted >> triad_at_numbers(1) == 0) return;
  sum[4] -= x * x * re[0];
  sum[5] -= y * y * re[0];
  sum[6] += re[2];
  sum[7] -= x * y * re[0];
  sum[8] -= x * im[1];
  sum[9] -= y * im[1];
}

static void sum_point(const triad_at_points *at, unsigned wanted, const double *modes, const double x[3], double *wave,
                      double *sum)
{
  const triad_layout *l = at->layout;
  const double *length = l->grid.length;
  double r[3], moments[3][2];
  for (int i = 0; i < 3; i++) r[i] = triad_at_reduce(x[i], length[i]);
  waves(l->nkz, l->kz, r[2], length[2], wave);
  memset(sum, 0, TRIAD_AT_MAX * sizeof *sum);
  for (int64_t c = 0; c < l->all_columns; c++) {
    double phase = 2 * TRIAD_PI * (l->kx[c] * (r[0] / length[0]) + l->ky[c] * (r[1] / length[1]));
    along_z(l->nkz, modes + 2 * c * l->nkz, wave, l->wz, moments);
    add_column(l, c, (double[2]){cos(phase), sin(phase)}, moments, wanted, sum);
  }
}

static void sum_all(triad_at_points *at, unsigned wanted, const double *modes, double *values)
{
  const double begin = triad_now();
#pragma omp parallel for schedule(dynamic, 1) num_threads(at->options.threads)
  for (int64_t p = 0; p < at->n; p++) {
    double sum[TRIAD_AT_MAX], wave[2 * at->layout->nkz];
    sum_point(at, wanted, modes, at->x + 3 * p, wave, sum);
    for (int m = 0; wanted >> m; m++)
      if (wanted >> m & 1) values[m * at->n + p] = sum[m];
  }
  at->about.sums += triad_now() - begin;
}

/* ---- which way ---- */

#ifdef TRIAD_CUDA
static const triad_gpu_at_part *const gpu = &triad_gpu_at_table;
#else
static const triad_gpu_at_part *const gpu = NULL;
#endif

/* Rough times of both ways, on one core [s]: 2.2 ns a mode and point; 10 ns a number of the grid, 1.2 us a number of
 * a point. */
static double seconds_of_sums(const triad_layout *l, int64_t n)
{
  return 2.2e-9 * (double)n * (double)l->all_columns * (double)l->nkz;
}

static double seconds_of_grid(const triad_layout *l, int64_t n, int order)
{
  double points = 1;
  for (int i = 0; i < 3; i++) points *= (double)triad_at_grid_size(l->grid.kmax[i]);
  return triad_at_numbers(order) * (1e-8 * points + 1.2e-6 * (double)n);
}

double triad_at_points_seconds(const triad_layout *l, int64_t n, int order)
{
  return fmin(seconds_of_sums(l, n), seconds_of_grid(l, n, order));
}

static int make_grid(triad_at_points *at)
{
  TRIAD_TRY(triad_at_fine_create(&at->fine, at->layout, at->n));
  at->about.gridded = at->about.pieces = 1;
  memcpy(at->about.n, at->fine->n, sizeof at->about.n);
  if (!at->options.device) return triad_at_grid_create(&at->grid, at);
  if (!gpu) return TRIAD_FAIL(TRIAD_ERR_FEATURE, "this build has no CUDA support: build with make CUDA=1");
  return gpu->create(&at->gpu, at);
}

int triad_at_points_create(triad_at_points **out, const triad_layout *layout, int64_t n, int order,
                           const triad_at_options *options)
{
  triad_at_points *at = *out = calloc(1, sizeof *at);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  *at = (triad_at_points){.layout = layout, .n = n, .order = order, .options = *options};
  const int sums = options->way == TRIAD_AT_SUMS || (options->way == TRIAD_AT_CHEAPEST &&
                                                     seconds_of_sums(layout, n) <= seconds_of_grid(layout, n, order));
  if (sums && !options->device) return TRIAD_OK;
  int st = make_grid(at);
  if (st != TRIAD_OK) triad_at_points_destroy(out);
  return st;
}

void triad_at_points_destroy(triad_at_points **at)
{
  if (!*at) return;
  if (gpu) gpu->destroy(&(*at)->gpu);
  triad_at_grid_destroy(&(*at)->grid);
  triad_at_fine_destroy(&(*at)->fine);
  free(*at);
  *at = NULL;
}

int triad_at_points_place(triad_at_points *at, const double *x)
{
  const double begin = triad_now();
  at->x = x;
  if (at->fine) triad_at_fine_place(at->fine, at->layout, x, at->options.threads);
  at->about.order += triad_now() - begin;
  return at->gpu ? gpu->place(at) : TRIAD_OK;
}

int triad_at_points_run(triad_at_points *at, unsigned wanted, const double *modes, double *values)
{
  if (wanted >> triad_at_numbers(at->order))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "derivatives beyond order %d, for which this is made", at->order);
  if (at->gpu) return gpu->run(at, wanted, modes, values);
  if (at->grid) triad_at_grid_run(at, wanted, modes, values);
  else sum_all(at, wanted, modes, values);
  return TRIAD_OK;
}

const triad_at_about *triad_at_points_about(const triad_at_points *at) { return &at->about; }
