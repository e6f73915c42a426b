#include "solvers/staggered/sweeps.h"

#include "parallel/sum.h"

#include <stdlib.h>
#include <string.h>

/* The a of q(x) = a - x, 2 and more: x q(x) > 0 on (0, 2], where the eigenvalues of A/diag are. With 2 itself the
 * checkerboard would have none. */
static const double polynomial = 2.1;

enum { SUMS = 3 };

/* A row's loop for what is known of it when it is compiled: are all cells alike, does a solid close a face, has each cell
 * a diagonal of its own? */
#define BY_KIND(s, y, z, loop, ...)                                   \
  do {                                                                \
    int closed_ = triad_staggered_is_masked((s)->m, y, z);    \
    if ((s)->uniform && !closed_) loop(1, 0, 0, __VA_ARGS__);         \
    else if ((s)->uniform) loop(1, 1, 0, __VA_ARGS__);                \
    else if ((s)->per_diagonals && !closed_) loop(0, 0, 1, __VA_ARGS__); \
    else if ((s)->per_diagonals) loop(0, 1, 1, __VA_ARGS__);          \
    else loop(0, 1, 0, __VA_ARGS__);                                  \
  } while (0)

/* A sweep: what it does with a row, adding to `n` sums; the field that it writes, whose ghosts it fills; and, with `faces`,
 * one sum more, v . A v of that field (or v = field/diag). */
typedef struct sweep {
  void (*row)(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);
  int n, faces, scaled;
  triad_real *field;
} sweep;

/* ---- rows ---- */

/* What a row's loop knows: strides and, where all cells are alike, the sides along each axis. */
typedef struct row_of {
  triad_staggered_sizes m;
  triad_staggered_row row;
  int64_t first, n;
  triad_real even[3];
} row_of;

static inline row_of row_at(const triad_staggered_sweeps *s, int64_t y, int64_t z)
{
  row_of l = {.m = s->m->sizes, .first = triad_partition_at(&s->m->blocks, 0, y, z), .n = s->m->blocks.local[0]};
  triad_real side[6];
  l.row = triad_staggered_row_of(&l.m, y, z);
  triad_staggered_sides(0, &l.m, &l.row, l.first, 0, side);
  for (int i = 0; i < 3; i++) l.even[i] = side[2 * i];
  return l;
}

/* Side number i of a cell. */
TRIAD_POINT_INLINE triad_real side_of(const int uniform, const int closed, const row_of *l, const int i, int64_t at, int64_t x)
{
  triad_real side;
  if (uniform) side = l->even[i / 2];
  else if (i < 2) side = l->row.x[i] * l->m.per_d[0][x + i];
  else side = l->m.h[0][x] * (i < 4 ? l->row.y[i - 2] : l->row.z[i - 4]);
  return closed ? side * (triad_real)(l->m.open[at] >> i & 1) : side;
}

/* (A f) of a cell; `weighted`: (A w f). No arrays: what a loop has of its own of these cannot be turned into vectors. */
TRIAD_POINT_INLINE triad_real matrix(const int uniform, const int closed, const int weighted, const row_of *l,
                                     const triad_real *f, const triad_real *w, int64_t at, int64_t x)
{
  const int64_t tx = l->m.step[0], ty = l->m.step[1], tz = l->m.step[2];
  const triad_real here = weighted ? w[at] * f[at] : f[at];
#define BEYOND(i, place) (side_of(uniform, closed, l, i, at, x) * (here - (weighted ? w[place] * f[place] : f[place])))
#define ACROSS(i, t) (uniform && !closed ? l->even[i] * ((here - f[at - (t)]) + (here - f[at + (t)])) \
                                         : BEYOND(2 * (i), at - (t)) + BEYOND(2 * (i) + 1, at + (t)))
  return ACROSS(0, tx) + ACROSS(1, ty) + ACROSS(2, tz);
#undef ACROSS
#undef BEYOND
}

static inline double square(double x) { return x * x; }

/* The ghosts of a row along x: its other end, or mirror images at a wall; where another rank has it, what makes no
 * difference until it has come. */
static void row_ends(const triad_staggered_mesh *m, triad_real *row)
{
  const triad_partition *b = &m->blocks;
  int64_t n = b->local[0];
  if (b->halo[0] == 0) return;
  int wraps = b->periodic[0] && b->dims[0] == 1;
  row[-1] = wraps ? row[n - 1] : row[0];
  row[n] = wraps ? row[0] : row[n - 1];
}

TRIAD_POINT_INLINE void direction_row(const int uniform, const int closed, const int weighted, triad_staggered_sweeps *s,
                                      int64_t y, int64_t z)
{
  const row_of l = row_at(s, y, z);
  const triad_real *r = s->r, *w = s->per_diagonals, one = s->per_diagonal, beta = (triad_real)s->beta,
                   a = (triad_real)polynomial;
  triad_real *d = s->d;
#pragma omp simd
  for (int64_t x = 0; x < l.n; x++) {
    const int64_t at = l.first + x;
    const triad_real q = matrix(uniform, closed, weighted, &l, r, w, at, x);
    d[at] = weighted ? w[at] * (a * r[at] - q) + beta * d[at] : one * (a * r[at] - one * q) + beta * d[at];
  }
}

static void direction(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  (void)sums;
  BY_KIND(s, y, z, direction_row, s, y, z);
}

static void direction_given(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  const triad_real *from = s->z + first, beta = (triad_real)s->beta;
  triad_real *d = s->d + first;
  (void)sums;
#pragma omp simd
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) d[x] = from[x] + beta * d[x];
}

/* p = p + alpha d, r = r - alpha A d; of a new residual, r = b - A p. */
TRIAD_POINT_INLINE void descent_row(const int uniform, const int closed, const int weighted, const int anew,
                                    triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  const row_of l = row_at(s, y, z);
  const triad_real *f = anew ? s->p : s->d, *from = anew ? s->b : s->r, *w = s->per_diagonals;
  const triad_real alpha = anew ? 1 : (triad_real)s->alpha;
  triad_real *p = s->p, *r = s->r;
  double rr = 0, rz = 0;
#pragma omp simd reduction(+ : rr, rz)
  for (int64_t x = 0; x < l.n; x++) {
    const int64_t at = l.first + x;
    const triad_real left = from[at] - alpha * matrix(uniform, closed, 0, &l, f, NULL, at, x);
    if (!anew) p[at] += alpha * f[at];
    r[at] = left;
    rr += (double)left * (double)left;
    if (weighted) rz += (double)w[at] * (double)left * (double)left;
  }
  sums[0] = rr;
  sums[1] = rz;
}

TRIAD_POINT_INLINE void descent_kind(const int uniform, const int closed, const int weighted, triad_staggered_sweeps *s,
                                     int64_t y, int64_t z, double *sums)
{
  descent_row(uniform, closed, weighted, 0, s, y, z, sums);
}

TRIAD_POINT_INLINE void residual_kind(const int uniform, const int closed, const int weighted, triad_staggered_sweeps *s,
                                      int64_t y, int64_t z, double *sums)
{
  descent_row(uniform, closed, weighted, 1, s, y, z, sums);
}

static void descent(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  BY_KIND(s, y, z, descent_kind, s, y, z, sums);
}

static void residual(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  BY_KIND(s, y, z, residual_kind, s, y, z, sums);
}

/* sum of side (v_i - v_j)^2 over the lower faces of a row's cells, v = f or, scaled, f/diag. */
TRIAD_POINT_INLINE double faces_row(const int uniform, const int closed, const int weighted, const int scaled,
                                    const triad_staggered_sweeps *s, const triad_real *f, int64_t y, int64_t z)
{
  const row_of l = row_at(s, y, z);
  const int64_t tx = l.m.step[0], ty = l.m.step[1], tz = l.m.step[2];
  const triad_real *w = s->per_diagonals;
  const double one = scaled && !weighted ? (double)s->per_diagonal : 1;
  double sum = 0;
#define FACE(i, t) /* the side times the square */                                                                    \
  ((double)side_of(uniform, closed, &l, 2 * (i), at, x) *                                                             \
   square((double)(weighted && scaled ? w[at] * f[at] - w[at - (t)] * f[at - (t)] : f[at] - f[at - (t)])))
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < l.n; x++) {
    const int64_t at = l.first + x;
    sum += FACE(0, tx) + FACE(1, ty) + FACE(2, tz);
  }
#undef FACE
  return one * one * sum;
}

static double faces(const triad_staggered_sweeps *s, const sweep *w, int64_t y, int64_t z)
{
  double sum;
  if (w->scaled) BY_KIND(s, y, z, sum = faces_row, 1, s, w->field, y, z);
  else BY_KIND(s, y, z, sum = faces_row, 0, s, w->field, y, z);
  return sum;
}

/* ---- sweeps ---- */

/* Rows that others need, before their messages leave; all other rows, and faces to rows of this thread; faces that are
 * late. */
typedef enum part { OUTER, INNER, LATE } part;

static int is_outer(const triad_staggered_sweeps *s, int64_t y, int64_t z)
{
  const triad_partition *b = &s->m->blocks;
  if (!s->overlap) return 0;
  return (b->dims[1] > 1 && (y == 0 || y == b->local[1] - 1)) || (b->dims[2] > 1 && (z == 0 || z == b->local[2] - 1));
}

/* Must the lower faces of a row wait, until all rows are done and ghosts have come? */
static int is_late(const triad_partition *b, int64_t y, int64_t z, int64_t begin)
{
  return b->dims[0] > 1 || y == 0 || z == 0 || (z - 1) * b->local[1] + y < begin;
}

/* What the row two further on will be made of, and is not in cache: the memory is read while this row is worked on. Always
 * inline: a compiler may take a function that does no more for one without effect. */
TRIAD_POINT_INLINE void fetch_ahead(const triad_staggered_sweeps *s, const sweep *w, int64_t y, int64_t z)
{
  enum { LINE = 64 / sizeof(triad_real) };
  const triad_partition *b = &s->m->blocks;
  const int64_t at = triad_partition_at(b, 0, y, z) + 2 * b->stride[1], above = at + b->stride[2];
  if (above + b->local[0] > b->volume) return;
  for (int64_t x = 0; x < b->local[0]; x += LINE) {
    __builtin_prefetch(&w->field[at + x], 1);
    if (w->row == residual) {
      __builtin_prefetch(&s->b[at + x]);
      __builtin_prefetch(&s->p[above + x]);
    } else if (w->row == descent) {
      __builtin_prefetch(&s->p[at + x], 1);
      __builtin_prefetch(&s->d[above + x]);
    } else {
      __builtin_prefetch(s->z ? &s->z[at + x] : &s->r[above + x]);
    }
  }
}

static void rows_of(triad_staggered_sweeps *s, const sweep *w, part which, int64_t begin, int64_t end, int progress,
                    triad_sum *sums)
{
  const int64_t ny = s->m->blocks.local[1];
  for (int64_t row = begin; row < end; row++) {
    const int64_t y = row % ny, z = row / ny;
    double found[SUMS] = {0};
    if (which != LATE && is_outer(s, y, z) == (which == OUTER)) {
      fetch_ahead(s, w, y, z);
      w->row(s, y, z, found);
      row_ends(s->m, w->field + triad_partition_at(&s->m->blocks, 0, y, z));
      for (int i = 0; i < w->n; i++) triad_sum_add(&sums[i], found[i]);
    }
    if (w->faces && which != OUTER && is_late(&s->m->blocks, y, z, begin) == (which == LATE))
      triad_sum_add(&sums[w->n], faces(s, w, y, z));
    if (progress && y == 0) triad_halo_progress(s->halo);
  }
}

static void pass(triad_staggered_sweeps *s, const sweep *w, part which, triad_sum *all)
{
  const int threads = s->m->context->threads;
  const int64_t rows = s->m->blocks.local[1] * s->m->blocks.local[2];
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++) {
    triad_sum mine[SUMS];
    for (int i = 0; i < SUMS; i++) triad_sum_clear(&mine[i]);
    rows_of(s, w, which, triad_deal(rows, t, threads), triad_deal(rows, t + 1, threads),
            t == 0 && which == INNER && s->overlap, mine);
#pragma omp critical
    for (int i = 0; i < w->n + w->faces; i++) triad_sum_merge(&all[i], &mine[i]);
  }
}

/* Ghosts along an axis that is not divided: its other end, or mirror images at walls. */
static void own_ghosts(const triad_staggered_mesh *m, int axis, triad_real *f)
{
  const triad_partition *b = &m->blocks;
  const int wraps = b->periodic[axis] && b->dims[axis] == 1, other = axis == 1 ? 2 : 1;
  const int64_t n = b->local[axis];
  if (b->halo[axis] == 0) return;
  for (int upper = 0; upper < 2; upper++) {
    const int64_t to = upper ? n : -1, from = upper == wraps ? 0 : n - 1;
    if (!wraps && b->neighbour[axis][upper] != TRIAD_NO_NEIGHBOUR) continue;
    for (int64_t i = 0; i < b->local[other]; i++) {
      triad_real *row = f + b->origin + i * b->stride[other];
      memcpy(row + to * b->stride[axis], row + from * b->stride[axis], (size_t)b->local[0] * sizeof *row);
    }
  }
}

static void fill_ghosts(triad_staggered_sweeps *s, triad_real *f)
{
  const triad_partition *b = &s->m->blocks;
  triad_real *const fields[1] = {f};
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) row_ends(s->m, f + triad_partition_at(b, 0, y, z));
  if (s->halo) triad_halo_exchange(s->halo, fields, 1);
  own_ghosts(s->m, 1, f);
  own_ghosts(s->m, 2, f);
}

static int run(triad_staggered_sweeps *s, const sweep *w, double *results)
{
  triad_real *const fields[1] = {w->field};
  triad_sum all[SUMS];
  for (int i = 0; i < SUMS; i++) triad_sum_clear(&all[i]);
  if (s->overlap) {
    pass(s, w, OUTER, all);
    triad_halo_begin(s->halo, fields, 1);
  }
  pass(s, w, INNER, all);
  if (s->overlap) triad_halo_end(s->halo);
  else if (s->halo) triad_halo_exchange(s->halo, fields, 1);
  own_ghosts(s->m, 1, w->field);
  own_ghosts(s->m, 2, w->field);
  if (w->faces) pass(s, w, LATE, all);
  return triad_sum_all(&s->m->context->comm, all, w->n + w->faces, results);
}

int triad_staggered_direction(triad_staggered_sweeps *s, const triad_real *z, double beta, double *dq)
{
  const sweep w = {.row = z ? direction_given : direction, .faces = 1, .field = s->d};
  s->z = z;
  s->beta = beta;
  return run(s, &w, dq);
}

/* r . M r = 2.1 r . r/diag - v . A v,  v = r/diag */
static int residual_sweep(triad_staggered_sweeps *s, sweep *w, double products[2])
{
  double sums[SUMS];
  const int weighted = s->per_diagonals != NULL;
  w->n = weighted ? 2 : 1;
  w->faces = w->scaled = s->polynomial;
  w->field = s->r;
  TRIAD_TRY(run(s, w, sums));
  products[0] = sums[0];
  products[1] = sums[0];
  if (weighted) products[1] = polynomial * sums[1] - sums[2];
  else if (s->polynomial) products[1] = polynomial * (double)s->per_diagonal * sums[0] - sums[1];
  return TRIAD_OK;
}

int triad_staggered_descent(triad_staggered_sweeps *s, triad_real *p, double alpha, double products[2])
{
  sweep w = {.row = descent};
  s->p = p;
  s->alpha = alpha;
  return residual_sweep(s, &w, products);
}

int triad_staggered_residual(triad_staggered_sweeps *s, const triad_real *b, triad_real *p, double products[2])
{
  sweep w = {.row = residual};
  s->p = p;
  s->b = b;
  fill_ghosts(s, p);
  return residual_sweep(s, &w, products);
}

/* ---- what they work with ---- */

/* Where all cells are alike, from the grid as a whole: sizes from differences of positions round, and differ by rank. */
static double even_diagonal(const triad_staggered_setup *setup)
{
  double h[3], sum = 0;
  for (int i = 0; i < 3; i++) h[i] = setup->length[i] / (double)setup->n[i];
  for (int i = 0; i < 3; i++)
    if (setup->n[i] > 1) sum += 2 * h[0] * h[1] * h[2] / (h[i] * h[i]);
  return sum > 0 ? sum : 1;
}

void triad_staggered_sweeps_renew(triad_staggered_sweeps *s)
{
  const triad_partition *b = &s->m->blocks;
  triad_real side[6];
  s->per_diagonal = (triad_real)(1 / even_diagonal(&s->m->setup));
  if (!s->per_diagonals) return;
  for (int64_t z = 0; z < b->local[2]; z++)
    for (int64_t y = 0; y < b->local[1]; y++) {
      const triad_staggered_row row = triad_staggered_row_of(&s->m->sizes, y, z);
      int64_t first = triad_partition_at(b, 0, y, z);
      for (int64_t x = 0; x < b->local[0]; x++) {
        triad_staggered_sides(0, &s->m->sizes, &row, first + x, x, side);
        s->per_diagonals[first + x] = 1 / triad_staggered_diagonal(side);
      }
    }
  fill_ghosts(s, s->per_diagonals);
}

/* Halos along divided axes only: the sweeps fill the others themselves, a row or a plane at a time. */
static int create_halo(triad_staggered_sweeps *s)
{
  triad_partition b = s->m->blocks;
  int divided = 0;
  for (int i = 0; i < 3; i++) {
    divided |= b.dims[i] > 1;
    if (b.dims[i] == 1) b.periodic[i] = 0;
  }
  s->overlap = divided && b.dims[0] == 1;
  return divided ? triad_halo_create_of(&s->halo, s->m->context, &b, 1, 1, TRIAD_HALO_FACES) : TRIAD_OK;
}

static int take(triad_staggered_sweeps *s, int iterates)
{
  triad_memory *memory = s->m->context->memory;
  const triad_partition *b = &s->m->blocks;
  TRIAD_TRY(TRIAD_ALLOC(memory, "conjugate gradients", b->volume, &s->r));
  if (iterates) TRIAD_TRY(TRIAD_ALLOC(memory, "conjugate gradients", b->volume, &s->d));
  if (s->uniform || !s->polynomial) return TRIAD_OK;
  return TRIAD_ALLOC(memory, "conjugate gradients", b->volume, &s->per_diagonals);
}

int triad_staggered_sweeps_create(triad_staggered_sweeps *s, const triad_staggered_mesh *m,
                                  triad_staggered_pressure pressure)
{
  *s = (triad_staggered_sweeps){.m = m, .uniform = 1, .polynomial = pressure == TRIAD_STAGGERED_CG_POLYNOMIAL};
  for (int i = 0; i < 3; i++)
    if (m->setup.n[i] > 1 && m->setup.stretch[i] > 0) s->uniform = 0;
  int st = triad_agree(&m->context->comm, take(s, pressure != TRIAD_STAGGERED_TRANSFORM));
  if (st == TRIAD_OK) st = create_halo(s);
  if (st != TRIAD_OK) {
    triad_staggered_sweeps_destroy(s);
    return st;
  }
  triad_staggered_sweeps_renew(s);
  return TRIAD_OK;
}

void triad_staggered_sweeps_destroy(triad_staggered_sweeps *s)
{
  if (!s->m) return;
  triad_memory *memory = s->m->context->memory;
  triad_halo_destroy(&s->halo);
  TRIAD_FREE(memory, &s->r);
  TRIAD_FREE(memory, &s->d);
  TRIAD_FREE(memory, &s->per_diagonals);
}
