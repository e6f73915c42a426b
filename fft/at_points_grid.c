#include "fft/at_points_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = TRIAD_KERNEL_WIDTH, TILE = 16 };

int64_t triad_at_grid_size(int64_t kmax)
{
  int64_t n = 2 * (2 * kmax + 1) > W ? 2 * (2 * kmax + 1) : W;
  for (;; n += 2) {
    int64_t rest = n;
    for (int p = 2; p < 8; p += p == 2 ? 1 : 2)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/* Points by tiles of the grid, so that those that see the same values follow each other. */
typedef struct keyed {
  int64_t key, point;
} keyed;

static int by_key(const void *a, const void *b)
{
  const keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->point < y->point ? -1 : x->point > y->point;
}

static int sort_points(triad_at_grid *g, const triad_at_points *at)
{
  const double *length = at->layout->grid.length;
  keyed *keys = malloc((size_t)(at->n + 1) * sizeof *keys);
  if (!keys) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the order of %lld points", (long long)at->n);
  for (int64_t p = 0; p < at->n; p++) {
    int64_t key = 0;
    for (int i = 2; i >= 0; i--) {
      double place = triad_at_reduce(at->x[3 * p + i], length[i]) / length[i] * (double)g->n[i];
      if (!(place < (double)g->n[i])) place = 0;
      g->place[3 * p + i] = place;
      key = key * (g->n[i] / TILE + 1) + (int64_t)place / TILE;
    }
    keys[p] = (keyed){key, p};
  }
  qsort(keys, (size_t)at->n, sizeof *keys, by_key);
  for (int64_t p = 0; p < at->n; p++) g->order[p] = keys[p].point;
  free(keys);
  return TRIAD_OK;
}

/* Only lines that hold modes are transformed along z and y. Plans that are estimated are the same each time. */
static int make_plans(triad_at_grid *g)
{
  int nx = (int)g->n[0], ny = (int)g->n[1], nz = (int)g->n[2], row = (int)(g->stride / 2), plane = ny * row;
  fftw_complex *c = (fftw_complex *)g->grid;
  int kx = (int)g->kx_count, backward = FFTW_BACKWARD;
  g->z = fftw_plan_many_dft(1, &nz, kx, c, NULL, plane, 1, c, NULL, plane, 1, backward, FFTW_ESTIMATE);
  g->y = fftw_plan_many_dft(1, &ny, kx, c, NULL, row, 1, c, NULL, row, 1, backward, FFTW_ESTIMATE);
  g->x = fftw_plan_many_dft_c2r(1, &nx, ny, c, NULL, 1, row, g->grid, NULL, 1, 2 * row, FFTW_ESTIMATE);
  if (!g->x || !g->y || !g->z) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "FFTW has no plan for %d x %d x %d", nx, ny, nz);
  return TRIAD_OK;
}

int triad_at_grid_create(triad_at_grid **out, const triad_at_points *at)
{
  const triad_layout *l = at->layout;
  triad_at_grid *g = calloc(1, sizeof *g);
  *out = g;
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  for (int i = 0; i < 3; i++) {
    int64_t k = l->grid.kmax[i];
    g->n[i] = triad_at_grid_size(k);
    g->undo[i] = malloc((size_t)(k + 1) * sizeof *g->undo[i]);
    if (!g->undo[i]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld factors", (long long)k + 1);
    for (int64_t j = 0; j <= k; j++) g->undo[i][j] = triad_kernel_undo(j, g->n[i]);
  }
  g->kx_count = l->grid.kmax[0] + 1;
  g->stride = (g->n[0] + W + 7) / 8 * 8;
  int64_t reals = g->stride * g->n[1] * g->n[2];
  g->grid = fftw_malloc((size_t)reals * sizeof *g->grid);
  g->place = malloc((size_t)(at->n + 1) * 3 * sizeof *g->place);
  g->order = malloc((size_t)(at->n + 1) * sizeof *g->order);
  if (!g->grid || !g->place || !g->order)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a grid of %lld x %lld x %lld for values at %lld points, %.3g bytes",
                      (long long)g->n[0], (long long)g->n[1], (long long)g->n[2], (long long)at->n, 8. * (double)reals);
  triad_kernel_make(&g->kernel);
  TRIAD_TRY(make_plans(g));
  return sort_points(g, at);
}

void triad_at_grid_destroy(triad_at_grid **grid)
{
  triad_at_grid *g = *grid;
  if (!g) return;
  if (g->x) fftw_destroy_plan(g->x);
  if (g->y) fftw_destroy_plan(g->y);
  if (g->z) fftw_destroy_plan(g->z);
  for (int i = 0; i < 3; i++) free(g->undo[i]);
  fftw_free(g->grid);
  free(g->place);
  free(g->order);
  free(g);
  *grid = NULL;
}

static int64_t wrap(int64_t k, int64_t n) { return k < 0 ? k + n : k; }

/* Which derivative a number of a point is: two axes, 3 for none. */
static const int axes[TRIAD_AT_MOST][2] = {{3, 3}, {0, 3}, {1, 3}, {2, 3}, {0, 0},
                                           {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* Column c of number m, divided by the kernel; conjugate: as (-kx, -ky, -kz), which kx = 0 needs too. */
static void put_column(triad_at_grid *g, const triad_layout *l, int64_t c, const double *modes, int m, int conjugate)
{
  int64_t sign = conjugate ? -1 : 1, kx = l->kx[c], ky = sign * l->ky[c];
  double side = g->undo[0][kx] * g->undo[1][llabs(ky)], k[4] = {l->wx[c], l->wy[c], 0, 1};
  double *line = g->grid + wrap(ky, g->n[1]) * g->stride + 2 * kx;
  for (int64_t j = 0; j < l->nkz; j++) {
    k[2] = l->wz[j];
    double *to = line + wrap(sign * l->kz[j], g->n[2]) * g->n[1] * g->stride;
    double by = side * g->undo[2][llabs(l->kz[j])] * k[axes[m][0]] * k[axes[m][1]];
    double re = by * modes[2 * j], im = by * modes[2 * j + 1];
    to[0] = m == 0 ? re : m < 4 ? -im : -re; /* times i or i^2 */
    to[1] = (double)sign * (m == 0 ? im : m < 4 ? re : -im);
  }
}

static void fill(const triad_at_points *at, const double *modes, int m)
{
  const triad_layout *l = at->layout;
  triad_at_grid *g = at->grid;
  memset(g->grid, 0, (size_t)(g->stride * g->n[1] * g->n[2]) * sizeof *g->grid);
  for (int64_t c = 0; c < l->all_columns; c++) {
    put_column(g, l, c, modes + 2 * c * l->nkz, m, 0);
    if (l->kx[c] == 0 && !l->self[c]) put_column(g, l, c, modes + 2 * c * l->nkz, m, 1);
  }
}

static void transform(const triad_at_points *at)
{
  const triad_at_grid *g = at->grid;
  int64_t plane = g->stride * g->n[1], reach = at->layout->grid.kmax[1];
#pragma omp parallel for schedule(static) num_threads(at->threads)
  for (int64_t ky = -reach; ky <= reach; ky++) {
    fftw_complex *line = (fftw_complex *)(g->grid + wrap(ky, g->n[1]) * g->stride);
    fftw_execute_dft(g->z, line, line);
  }
#pragma omp parallel for schedule(static) num_threads(at->threads)
  for (int64_t z = 0; z < g->n[2]; z++) {
    double *from = g->grid + z * plane;
    fftw_execute_dft(g->y, (fftw_complex *)from, (fftw_complex *)from);
    fftw_execute_dft_c2r(g->x, (fftw_complex *)from, from);
    for (double *row = from; row < from + plane; row += g->stride) memcpy(row + g->n[0], row, W * sizeof *row);
  }
}

/* The kernel at the W points about a place that lies f behind the middle one. */
static void weigh(const triad_kernel *kernel, double f, double k[W])
{
  double t = 2 * f - 1;
  memcpy(k, kernel->c[TRIAD_KERNEL_TERMS - 1], W * sizeof *k);
  for (int m = TRIAD_KERNEL_TERMS - 2; m >= 0; m--)
    for (int j = 0; j < W; j++) k[j] = k[j] * t + kernel->c[m][j];
}

/* Sums over y and z for all x first, then along x. */
static double gather(const triad_at_grid *g, const double place[3])
{
  double k[3][W], b[W] = {0}, sum = 0;
  int64_t first[3];
  for (int i = 0; i < 3; i++) {
    double whole = floor(place[i]);
    weigh(&g->kernel, place[i] - whole, k[i]);
    first[i] = wrap((int64_t)whole - (W / 2 - 1), g->n[i]);
  }
  for (int z = 0; z < W; z++) {
    int64_t at_z = first[2] + z < g->n[2] ? first[2] + z : first[2] + z - g->n[2];
    const double *plane = g->grid + at_z * g->n[1] * g->stride + first[0];
    double a[W] = {0};
    for (int y = 0; y < W; y++) {
      int64_t at_y = first[1] + y < g->n[1] ? first[1] + y : first[1] + y - g->n[1];
      const double *row = plane + at_y * g->stride;
      for (int j = 0; j < W; j++) a[j] += k[1][y] * row[j];
    }
    for (int j = 0; j < W; j++) b[j] += k[2][z] * a[j];
  }
  for (int j = 0; j < W; j++) sum += k[0][j] * b[j];
  return sum;
}

void triad_at_grid_run(const triad_at_points *at, const double *modes, double *values)
{
  const triad_at_grid *g = at->grid;
  int numbers = triad_at_numbers(at->derivatives);
  for (int m = 0; m < numbers; m++) {
    fill(at, modes, m);
    transform(at);
#pragma omp parallel for schedule(static) num_threads(at->threads)
    for (int64_t i = 0; i < at->n; i++)
      values[g->order[i] * numbers + m] = gather(g, g->place + 3 * g->order[i]);
  }
}
