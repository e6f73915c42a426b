#include "solvers/spectral/measure/plane_sums.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8, POWERS = 3 };

int64_t triad_plane_sums_room(const triad_grid *grid)
{
  int64_t most = POWERS;
  for (int axis = 0; axis < 2; axis++)
    if (grid->n[axis] > most) most = grid->n[axis];
  return most * grid->n[2];
}

static double join(const double s[PARTS]) { return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); }

static double row_sum(int64_t n, const triad_real *a, const triad_real *b)
{
  double s[PARTS] = {0};
  int64_t i = 0;
  for (; i + PARTS <= n; i += PARTS)
    for (int j = 0; j < PARTS; j++) s[j] += b ? (double)a[i + j] * (double)b[i + j] : (double)a[i + j];
  for (; i < n; i++) s[i % PARTS] += b ? (double)a[i] * (double)b[i] : (double)a[i];
  return join(s);
}

/* What each rank has of a table [z][width], the rest 0, becomes the whole of it. */
static int share(const triad_context *context, const triad_layout *l, int64_t width, double *table)
{
  int n = 0;
  TRIAD_TRY(triad_narrow(l->grid.n[2] * width, &n));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, table, n, MPI_DOUBLE, MPI_SUM, context->comm.mpi));
}

/* Of a plane: one number, one for each y, or one for each x. */
static void sum_plane(const triad_grid *g, int axis, const triad_real *a, const triad_real *b, double *out)
{
  for (int64_t y = 0; y < g->n[1]; y++) {
    const triad_real *p = a + y * g->n[0], *q = b ? b + y * g->n[0] : NULL;
    if (axis > 0) {
      out[axis == 1 ? y : 0] += row_sum(g->n[0], p, q);
      continue;
    }
    for (int64_t x = 0; x < g->n[0]; x++) out[x] += q ? (double)p[x] * (double)q[x] : (double)p[x];
  }
}

int triad_plane_means(const triad_context *context, const triad_layout *l, int axis, const triad_real *a, const triad_real *b,
                      double *room, double *out)
{
  const triad_grid *g = &l->grid;
  const int64_t width = axis == 2 ? 1 : g->n[axis], plane = g->n[0] * g->n[1], first = l->plane_begin[l->rank];
  memset(room, 0, (size_t)(g->n[2] * width) * sizeof *room);
#pragma omp parallel for schedule(static) num_threads(context->threads)
  for (int64_t z = 0; z < l->n_planes; z++)
    sum_plane(g, axis, a + z * plane, b ? b + z * plane : NULL, room + (first + z) * width);
  TRIAD_TRY(share(context, l, width, room));
  const double points = (double)(plane * g->n[2] / g->n[axis]);
  for (int64_t i = 0; i < g->n[axis]; i++) {
    double sum = 0;
    for (int64_t z = 0; z < (axis == 2 ? 1 : g->n[2]); z++) sum += axis == 2 ? room[i] : room[z * width + i];
    out[i] = sum / points;
  }
  return TRIAD_OK;
}

/* Sums of powers 2, 3, 4 of a - mean over a plane. */
static void sum_powers(const triad_grid *g, const triad_real *a, double mean, double out[POWERS])
{
  for (int64_t y = 0; y < g->n[1]; y++, a += g->n[0]) {
    double s[POWERS][PARTS] = {{0}};
    for (int64_t x = 0; x < g->n[0]; x++) {
      const double d = (double)a[x] - mean, square = d * d;
      s[0][x % PARTS] += square;
      s[1][x % PARTS] += square * d;
      s[2][x % PARTS] += square * square;
    }
    for (int p = 0; p < POWERS; p++) out[p] += join(s[p]);
  }
}

int triad_point_moments(const triad_context *context, const triad_layout *l, const triad_real *a, double *room, double out[4])
{
  const triad_grid *g = &l->grid;
  const int64_t plane = g->n[0] * g->n[1], first = l->plane_begin[l->rank];
  double levels[g->n[2]], mean = 0;
  TRIAD_TRY(triad_plane_means(context, l, 2, a, NULL, room, levels));
  for (int64_t z = 0; z < g->n[2]; z++) mean += levels[z];
  mean /= (double)g->n[2];
  memset(room, 0, (size_t)(POWERS * g->n[2]) * sizeof *room);
#pragma omp parallel for schedule(static) num_threads(context->threads)
  for (int64_t z = 0; z < l->n_planes; z++) sum_powers(g, a + z * plane, mean, room + (first + z) * POWERS);
  TRIAD_TRY(share(context, l, POWERS, room));
  out[0] = mean;
  for (int p = 0; p < POWERS; p++) {
    double sum = 0;
    for (int64_t z = 0; z < g->n[2]; z++) sum += room[z * POWERS + p];
    out[1 + p] = sum / (double)(plane * g->n[2]);
  }
  return TRIAD_OK;
}

int triad_point_counts(const triad_context *context, const triad_layout *l, const triad_real *a, double mean, double scale,
                       double reach, int bins, int64_t *mine, int64_t *counts)
{
  const int threads = context->threads;
  const int64_t points = l->n_planes * l->grid.n[1] * l->grid.n[0];
  const double unit = (double)bins / (2 * reach);
  memset(mine, 0, (size_t)(threads * bins) * sizeof *mine);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    for (int64_t i = triad_deal(points, t, threads); i < triad_deal(points, t + 1, threads); i++) {
      double at = floor((((double)a[i] - mean) / scale + reach) * unit);
      if (at >= 0 && at < bins) mine[t * bins + (int64_t)at]++;
    }
  for (int t = 1; t < threads; t++)
    for (int b = 0; b < bins; b++) mine[b] += mine[t * bins + b];
  return TRIAD_MPI(MPI_Allreduce(mine, counts, bins, MPI_INT64_T, MPI_SUM, context->comm.mpi));
}
