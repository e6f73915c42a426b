/* Sums at particles: fields at the points around each, times its weights.
 *
 * A batch of a plane's particles at a time: the weights of all, eight abreast; then field by field, so that the rows
 * a field is summed from, m planes of m rows, stay in the nearest cache from one particle to the next. What a
 * particle gets depends on its place alone. */
#include "solvers/spectral/particles/gather_sum.h"
#include "solvers/spectral/particles/gather_internal.h"

#include <omp.h>

enum { WIDE = 8, MOST = TRIAD_WEIGHTS_MOST, ROWS = 8, PLANES = 8 };

/* Points in a row: a vector register, where there are such, of doubles in either precision. */
typedef double four __attribute__((vector_size(32)));
typedef double eight __attribute__((vector_size(64)));
typedef triad_real four_points __attribute__((vector_size(4 * sizeof(triad_real)), aligned(sizeof(triad_real))));
typedef triad_real eight_points __attribute__((vector_size(8 * sizeof(triad_real)), aligned(sizeof(triad_real))));

#define LOOP_OF static inline __attribute__((always_inline))

/* Not as values, whose registers are another convention on machines without such vectors. */
LOOP_OF void load_four(const triad_real *at, four *out)
{
#ifdef TRIAD_SINGLE
  *out = __builtin_convertvector(*(const four_points *)at, four);
#else
  *out = (four)(*(const four_points *)at);
#endif
}

LOOP_OF void load_eight(const triad_real *at, eight *out)
{
#ifdef TRIAD_SINGLE
  *out = __builtin_convertvector(*(const eight_points *)at, eight);
#else
  *out = (eight)(*(const eight_points *)at);
#endif
}

/* Particles first .. first + n - 1 of the order of a group, n <= WIDE, of one plane. */
LOOP_OF void weigh_some(const triad_gather *g, const triad_group *p, const int m, const int spline, int64_t first,
                        int n, triad_gather_one *to)
{
  const triad_grid *grid = &g->l->grid;
  double x[3][WIDE] = {{0}}, part[WIDE], w[MOST][WIDE];
  for (int i = 0; i < n; i++) {
    const double *record = triad_group_record(p, p->order_of[first + i]);
    for (int a = 0; a < 3; a++) x[a][i] = record[TRIAD_PARTICLE_X + a];
  }
  for (int a = 0; a < 3; a++) {
    const double per_spacing = (double)grid->n[a] / grid->length[a];
    int64_t cell[WIDE];
    for (int i = 0; i < n; i++) cell[i] = triad_particle_cell(x[a][i], per_spacing, grid->n[a], &part[i]);
    for (int i = n; i < WIDE; i++) part[i] = 0;
    if (spline) triad_spline_weights_of(WIDE, m, part, w[0]);
    else triad_lagrange_weights_of(WIDE, m, part, w[0]);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < m; j++) to[i].w[a][j] = w[j][i];
      for (int j = m; j < MOST; j++) to[i].w[a][j] = 0;
      if (a == 0) to[i].x = cell[i];
      if (a == 1) to[i].y = cell[i];
    }
  }
}

/* Where the rows of m points along y begin. */
LOOP_OF void find_rows(const triad_gather *g, const int m, int64_t y, int64_t *row)
{
  const int64_t n = g->l->grid.n[1];
  for (int j = 0; j < m; j++) {
    int64_t at = y + j - (m / 2 - 1);
    while (at < 0) at += n;
    while (at >= n) at -= n;
    row[j] = at * g->row;
  }
}

/* One field at a particle; base: its field, and its first point along x. Sums are always in this order. */
LOOP_OF double sum_one(const int m, const triad_real *const *at, int64_t base, const int64_t *row,
                       const triad_gather_one *one)
{
  if (m <= 4) {
    four sum = {0};
    for (int k = 0; k < m; k++) {
      four along = {0}, points;
      for (int j = 0; j < m; j++) {
        load_four(at[k] + row[j] + base, &points);
        along += one->w[1][j] * points;
      }
      sum += one->w[2][k] * along;
    }
    sum *= *(const four *)one->w[0];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  eight sum = {0};
  for (int k = 0; k < m; k++) {
    eight along = {0}, points;
    for (int j = 0; j < m; j++) {
      load_eight(at[k] + row[j] + base, &points);
      along += one->w[1][j] * points;
    }
    sum += one->w[2][k] * along;
  }
  sum *= *(const eight *)one->w[0];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

LOOP_OF void sum_batch(const triad_gather *g, const triad_group *p, int number, const int m, const int spline,
                       int64_t first, int n, const triad_real *const *at, triad_gather_one *batch)
{
  const int64_t shift = triad_gather_lower(g) - (m / 2 - 1);
  for (int i = 0; i < n; i += WIDE) weigh_some(g, p, m, spline, first + i, n - i < WIDE ? n - i : WIDE, batch + i);
  for (int i = 0; i < n; i++) {
    const int64_t record = p->order_of[first + i];
    batch[i].out = g->out ? g->out[number] + record * g->fields : triad_group_record(p, record) + g->offset;
  }
  for (int f = 0; f < g->fields; f++) {
    int64_t row[MOST] = {0}, y = -1;
    for (int i = 0; i < n; i++) {
      if (batch[i].y != y) find_rows(g, m, y = batch[i].y, row);
      batch[i].out[f] = sum_one(m, at + shift, f * g->field + shift + batch[i].x, row, &batch[i]);
    }
  }
}

/* Particles of rows begin .. end - 1 of a plane, whose planes are at[]. */
static void sum_rows(const triad_gather *g, int thread, int64_t begin, int64_t end, const triad_real *const *at)
{
  triad_gather_one *batch = g->batch + (int64_t)thread * TRIAD_GATHER_BATCH;
  for (int i = 0; i < g->n_groups; i++) {
    const triad_group *p = &g->groups[i];
    if (!triad_gather_serves(g, p)) continue;
    const int64_t last = p->begin[end];
    for (int64_t k = p->begin[begin]; k < last; k += TRIAD_GATHER_BATCH) {
      const int n = last - k < TRIAD_GATHER_BATCH ? (int)(last - k) : TRIAD_GATHER_BATCH;
      if (p->divided && p->order == 4) sum_batch(g, p, i, 4, 1, k, n, at, batch);
      else if (p->divided) sum_batch(g, p, i, 6, 1, k, n, at, batch);
      else if (p->order == 2) sum_batch(g, p, i, 2, 0, k, n, at, batch);
      else if (p->order == 6) sum_batch(g, p, i, 6, 0, k, n, at, batch);
      else sum_batch(g, p, i, 8, 0, k, n, at, batch);
    }
  }
}

/* A few rows of several planes before the next rows: each row of points is asked of the memory once, and not for
 * every plane of particles that needs it. */
void triad_gather_sum(const triad_gather *g, int64_t begin, int64_t end, const triad_real *const *beyond)
{
  const int64_t n = g->l->n_planes, rows = g->l->grid.n[1], below = triad_gather_lower(g);
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(g->flow->context->threads)
  for (int64_t first = begin; first < end; first += PLANES)
    for (int64_t y = 0; y < rows; y += ROWS)
      for (int64_t z = first; z < first + PLANES && z < end; z++) {
        const triad_real *at[MOST];
        for (int k = 0; k < g->order; k++) {
          const int64_t local = z - below + k;
          at[k] = local < 0    ? beyond[local + below]
                  : local >= n ? beyond[below + local - n]
                               : triad_gather_place(g, local);
        }
        sum_rows(g, omp_get_thread_num(), z * rows + y, z * rows + (y + ROWS < rows ? y + ROWS : rows), at);
      }
}
