/* Sums at particles: fields at the points around each, times its weights.
 *
 * A batch of a tile's particles at a time: first the weights of all, eight particles at once; then the sums, all fields
 * of a particle at once. The points around a tile stay in cache from one particle to the next, and a record is
 * prefetched when its particle enters the batch. The value at a particle depends on its position only. */
#include "solvers/spectral/particles/gather_sum.h"
#include "solvers/spectral/particles/gather_internal.h"

#include <omp.h>
enum { FIELDS = TRIAD_GATHER_FIELDS, WIDE = 8, MOST = TRIAD_WEIGHTS_MOST, PLANES = 8 };

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

/* Weights of n particles, n <= WIDE. */
LOOP_OF void weigh_some(const triad_gather *g, const int m, const int spline, int n, triad_gather_one *to)
{
  const triad_grid *grid = &g->l->grid;
  double x[3][WIDE] = {{0}}, part[WIDE], w[MOST][WIDE];
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) x[a][i] = to[i].record[TRIAD_PARTICLE_X + a];
  const double skew = g->l->skew; /* points are those of the frame (grid/layout.h) */
  for (int i = 0; i < n && skew != 0; i++) x[0][i] -= skew * x[1][i];
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

/* Addresses of m rows of three fields are more than there are registers: without this the compiler computes all
 * before the loop and keeps them in memory. */
#define NO_TABLE_OF(p) __asm__("" : "+r"(p))

/* n_fields fields at a particle, the first point of whose first field along x is base. The order of
 * sums is always the same. */
#define SUM_FIELDS(name, vector, load, added) \
  LOOP_OF void name(const int m, const int n_fields, const triad_real *const *at, int64_t base, int64_t field, \
                    const int64_t *row, const triad_gather_one *one) \
  { \
    vector sum[FIELDS] = {{0}}; \
    for (int k = 0; k < m; k++) { \
      vector along[FIELDS] = {{0}}, points; \
      for (int j = 0; j < m; j++) { \
        const triad_real *first = at[k] + row[j] + base; \
        NO_TABLE_OF(first); \
        for (int f = 0; f < n_fields; f++) { \
          load(first + f * field, &points); \
          along[f] += one->w[1][j] * points; \
        } \
      } \
      for (int f = 0; f < n_fields; f++) sum[f] += one->w[2][k] * along[f]; \
    } \
    for (int f = 0; f < n_fields; f++) { \
      const vector v = sum[f] * *(const vector *)one->w[0]; \
      one->out[f] = added; \
    } \
  }

SUM_FIELDS(sum_by_four, four, load_four, (v[0] + v[1]) + (v[2] + v[3]))
SUM_FIELDS(sum_by_eight, eight, load_eight, ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])))

LOOP_OF void sum_particles(const triad_gather *g, const int m, const int n_fields, int n, const triad_gather_one *batch)
{
  const int64_t shift = triad_gather_lower(g) - (m / 2 - 1);
  for (int i = 0; i < n; i++) {
    const int64_t *row = g->row_at + MOST + batch[i].y - (m / 2 - 1), base = shift + batch[i].x;
    if (m <= 4) sum_by_four(m, n_fields, batch[i].at + shift, base, g->field, row, &batch[i]);
    else sum_by_eight(m, n_fields, batch[i].at + shift, base, g->field, row, &batch[i]);
  }
}

LOOP_OF void sum_batch(const triad_gather *g, const int m, const int spline, int n, triad_gather_one *batch)
{
  for (int i = 0; i < n; i += WIDE) weigh_some(g, m, spline, n - i < WIDE ? n - i : WIDE, batch + i);
  if (g->fields == 3) sum_particles(g, m, 3, n, batch);
  else if (g->fields == 2) sum_particles(g, m, 2, n, batch);
  else sum_particles(g, m, 1, n, batch);
}

static void sum_some(const triad_gather *g, const triad_group *p, int n, triad_gather_one *batch)
{
  if (p->divided && p->order == 4) sum_batch(g, 4, 1, n, batch);
  else if (p->divided) sum_batch(g, 6, 1, n, batch);
  else if (p->order == 2) sum_batch(g, 2, 0, n, batch);
  else if (p->order == 6) sum_batch(g, 6, 0, n, batch);
  else sum_batch(g, 8, 0, n, batch);
}

/* Particles of group `number` in a tile (x, y) of planes begin .. end - 1; at[end - begin]: the planes of points that
 * those of each need. */
static void sum_tile(const triad_gather *g, int number, triad_gather_one *batch, int64_t x, int64_t y, int64_t begin,
                     int64_t end, const triad_real *const (*at)[MOST])
{
  const triad_group *p = &g->groups[number];
  int n = 0;
  for (int64_t z = begin; z < end; z++) {
    const int64_t tile = (z * triad_group_tiles(g->l, 1) + y) * triad_group_tiles(g->l, 0) + x;
    for (int64_t k = p->begin[tile]; k < p->begin[tile + 1]; k++) {
      const int64_t record = p->order_of[k];
      triad_gather_one *one = &batch[n++];
      one->at = at[z - begin];
      one->record = triad_group_record(p, record);
      __builtin_prefetch(one->record);
      __builtin_prefetch(one->record + 8, 1);
      one->out = g->out ? g->out[number] + record * g->fields : triad_group_record(p, record) + g->offset;
      if (n < TRIAD_GATHER_BATCH) continue;
      sum_some(g, p, n, batch);
      n = 0;
    }
  }
  if (n > 0) sum_some(g, p, n, batch);
}

/* Tile by tile of several planes, so that points are read from memory once, and not once for each particle. */
void triad_gather_sum(const triad_gather *g, int64_t begin, int64_t end, const triad_real *const *beyond)
{
  const int64_t n = g->l->n_planes, below = triad_gather_lower(g);
  const int64_t n_x = triad_group_tiles(g->l, 0), n_y = triad_group_tiles(g->l, 1);
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(g->flow->context->threads)
  for (int64_t first = begin; first < end; first += PLANES)
    for (int64_t y = 0; y < n_y; y++) {
      const int64_t last = first + PLANES < end ? first + PLANES : end;
      const triad_real *at[PLANES][MOST];
      for (int64_t z = first; z < last; z++)
        for (int k = 0; k < g->order; k++) {
          const int64_t local = z - below + k;
          at[z - first][k] = local < 0    ? beyond[local + below]
                             : local >= n ? beyond[below + local - n]
                                          : triad_gather_place(g, local);
        }
      triad_gather_one *batch = g->batch + (int64_t)omp_get_thread_num() * TRIAD_GATHER_BATCH;
      for (int i = 0; i < g->n_groups; i++)
        for (int64_t x = 0; triad_gather_serves(g, &g->groups[i]) && x < n_x; x++)
          sum_tile(g, i, batch, x, y, first, last, at);
    }
}
