/* Evaluate a field at points by a non-uniform transform: divide modes by the transform of the window, transform them
 * to the fine grid with FFTW, and sum the grid under the window of each point. */
#include "fft/at_points/at_points_grid.h"
#include "fft/at_points/at_points_internal.h"
#include "fft/at_points/at_points_fine.h"

#include "base/clock.h"

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

enum { W = TRIAD_KERNEL_WIDTH };

struct triad_at_grid {
  const triad_at_fine *fine;
  int64_t stride;   /* reals from row to row: W more than points, which repeat the first */
  int64_t kx_count; /* kx that modes have                                                */
  double *grid;     /* [z][y][stride]                                                    */
  fftw_plan x, y, z;
};

/* Only lines that hold modes are transformed along z and y. Plans that are estimated are the same each time. */
static int make_plans(triad_at_grid *g)
{
  int nx = (int)g->fine->n[0], ny = (int)g->fine->n[1], nz = (int)g->fine->n[2], row = (int)(g->stride / 2),
      plane = ny * row;
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
  const triad_at_fine *f = at->fine;
  triad_at_grid *g = *out = calloc(1, sizeof *g);
  if (!g) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "values at points");
  g->fine = f;
  g->kx_count = at->layout->grid.kmax[0] + 1;
  g->stride = (f->n[0] + W + 7) / 8 * 8;
  int64_t reals = g->stride * f->n[1] * f->n[2];
  g->grid = fftw_malloc((size_t)reals * sizeof *g->grid);
  if (!g->grid)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a grid of %lld x %lld x %lld for values at points, %.3g bytes",
                      (long long)f->n[0], (long long)f->n[1], (long long)f->n[2], 8. * (double)reals);
  return make_plans(g);
}

void triad_at_grid_destroy(triad_at_grid **grid)
{
  triad_at_grid *g = *grid;
  if (!g) return;
  if (g->x) fftw_destroy_plan(g->x);
  if (g->y) fftw_destroy_plan(g->y);
  if (g->z) fftw_destroy_plan(g->z);
  fftw_free(g->grid);
  free(g);
  *grid = NULL;
}

static int64_t wrap(int64_t k, int64_t n) { return k < 0 ? k + n : k; }

/* Column c of number m, divided by the kernel; conjugate: as (-kx, -ky, -kz), which kx = 0 needs too. */
static void put_column(triad_at_grid *g, const triad_layout *l, int64_t c, const double *modes, int m, int conjugate)
{
  const triad_at_fine *f = g->fine;
  int64_t sign = conjugate ? -1 : 1, kx = l->kx[c], ky = sign * l->ky[c];
  double side = f->undo[0][kx] * f->undo[1][llabs(ky)];
  double *line = g->grid + wrap(ky, f->n[1]) * g->stride + 2 * kx;
  for (int64_t j = 0; j < l->nkz; j++) {
    double *to = line + wrap(sign * l->kz[j], f->n[2]) * f->n[1] * g->stride;
    double by = side * f->undo[2][llabs(l->kz[j])] * triad_at_factor(m, l->wx[c], l->wy[c], l->wz[j]);
    triad_at_term(m, by, modes + 2 * j, conjugate, to);
  }
}

/* Each column has lines of its own. */
static void fill_grid(const triad_at_points *at, const double *modes, int m)
{
  const triad_layout *l = at->layout;
  triad_at_grid *g = at->grid;
  const int64_t plane = g->stride * g->fine->n[1];
#pragma omp parallel num_threads(at->options.threads)
  {
#pragma omp for schedule(static)
    for (int64_t z = 0; z < g->fine->n[2]; z++) memset(g->grid + z * plane, 0, (size_t)plane * sizeof *g->grid);
#pragma omp for schedule(static)
    for (int64_t c = 0; c < l->all_columns; c++) {
      put_column(g, l, c, modes + 2 * c * l->nkz, m, 0);
      if (l->kx[c] == 0 && !l->self[c]) put_column(g, l, c, modes + 2 * c * l->nkz, m, 1);
    }
  }
}

static void transform(const triad_at_points *at)
{
  const triad_at_grid *g = at->grid;
  const int64_t *n = at->fine->n;
  int64_t plane = g->stride * n[1], reach = at->layout->grid.kmax[1];
#pragma omp parallel for schedule(static) num_threads(at->options.threads)
  for (int64_t ky = -reach; ky <= reach; ky++) {
    fftw_complex *line = (fftw_complex *)(g->grid + wrap(ky, n[1]) * g->stride);
    fftw_execute_dft(g->z, line, line);
  }
#pragma omp parallel for schedule(static) num_threads(at->options.threads)
  for (int64_t z = 0; z < n[2]; z++) {
    double *from = g->grid + z * plane;
    fftw_execute_dft(g->y, (fftw_complex *)from, (fftw_complex *)from);
    fftw_execute_dft_c2r(g->x, (fftw_complex *)from, from);
    for (double *row = from; row < from + plane; row += g->stride) memcpy(row + n[0], row, W * sizeof *row);
  }
}

/* Sums over y and z for all x first, then along x. */
static double gather(const triad_at_grid *g, const double place[3])
{
  const int64_t *n = g->fine->n;
  double k[3][W], b[W] = {0}, t[3], sum = 0;
  int64_t first[3];
  for (int i = 0; i < 3; i++) first[i] = triad_kernel_first(place[i], n[i], &t[i]);
#pragma omp simd
  for (int j = 0; j < W; j++) {
    double at[3];
    triad_kernel_weights(&g->fine->kernel, j, t, at);
    k[0][j] = at[0];
    k[1][j] = at[1];
    k[2][j] = at[2];
  }
  for (int z = 0; z < W; z++) {
    int64_t at_z = first[2] + z < n[2] ? first[2] + z : first[2] + z - n[2];
    const double *plane = g->grid + at_z * n[1] * g->stride + first[0];
    double a[W] = {0};
    for (int y = 0; y < W; y++) {
      int64_t at_y = first[1] + y < n[1] ? first[1] + y : first[1] + y - n[1];
      const double *row = plane + at_y * g->stride;
      for (int j = 0; j < W; j++) a[j] += k[1][y] * row[j];
    }
    for (int j = 0; j < W; j++) b[j] += k[2][z] * a[j];
  }
  for (int j = 0; j < W; j++) sum += k[0][j] * b[j];
  return sum;
}

void triad_at_grid_run(triad_at_points *at, unsigned wanted, const double *modes, double *values)
{
  const triad_at_fine *f = at->fine;
  for (int m = 0; wanted >> m; m++) {
    if (!(wanted >> m & 1)) continue;
    const double begin = triad_now();
    double *to = values + m * at->n;
    fill_grid(at, modes, m);
    transform(at);
    const double made = triad_now();
#pragma omp parallel for schedule(static) num_threads(at->options.threads)
    for (int64_t i = 0; i < at->n; i++) to[f->order[i]] = gather(at->grid, f->place + 3 * i);
    at->about.transforms += made - begin;
    at->about.sums += triad_now() - made;
  }
}
