/* The loops of a sweep of conjugate gradients over one row, compiled for uniform or stretched cells and with or
 * without solids. */
#include "solvers/staggered/pressure/sweep_rows.h"
#include "solvers/staggered/points/staggered_points.h"

/* A row's loop for what is known of it when it is compiled: are all cells alike, does a solid close a face, has each
 * cell a diagonal of its own? */
#define BY_KIND(s, y, z, loop, ...) \
  do { \
    int closed_ = triad_staggered_is_masked((s)->m, y, z); \
    if ((s)->uniform && !closed_) loop(1, 0, 0, __VA_ARGS__); \
    else if ((s)->uniform) loop(1, 1, 0, __VA_ARGS__); \
    else if ((s)->per_diagonals && !closed_) loop(0, 0, 1, __VA_ARGS__); \
    else if ((s)->per_diagonals) loop(0, 1, 1, __VA_ARGS__); \
    else loop(0, 1, 0, __VA_ARGS__); \
  } while (0)

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
TRIAD_POINT_INLINE triad_real side_of(const int uniform, const int closed, const row_of *l, const int i, int64_t at,
                                      int64_t x)
{
  triad_real side;
  if (uniform) side = l->even[i / 2];
  else if (i < 2) side = l->row.x[i] * l->m.per_d[0][x + i];
  else side = l->m.h[0][x] * (i < 4 ? l->row.y[i - 2] : l->row.z[i - 4]);
  return closed ? side * (triad_real)(l->m.open[at] >> i & 1) : side;
}

/* (A f) of a cell; `weighted`: (A w f). No arrays: what a loop has of its own of these cannot be turned into
 * vectors. */
TRIAD_POINT_INLINE triad_real matrix(const int uniform, const int closed, const int weighted, const row_of *l,
                                     const triad_real *f, const triad_real *w, int64_t at, int64_t x)
{
  const int64_t tx = l->m.step[0], ty = l->m.step[1], tz = l->m.step[2];
  const triad_real here = weighted ? w[at] * f[at] : f[at];
#define BEYOND(i, place) (side_of(uniform, closed, l, i, at, x) * (here - (weighted ? w[place] * f[place] : f[place])))
#define ACROSS(i, t) \
  (uniform && !closed ? l->even[i] * ((here - f[at - (t)]) + (here - f[at + (t)])) \
                      : BEYOND(2 * (i), at - (t)) + BEYOND(2 * (i) + 1, at + (t)))
  return ACROSS(0, tx) + ACROSS(1, ty) + ACROSS(2, tz);
#undef ACROSS
#undef BEYOND
}

static inline double square(double x) { return x * x; }

TRIAD_POINT_INLINE void direction_row(const int uniform, const int closed, const int weighted,
                                      triad_staggered_sweeps *s, int64_t y, int64_t z)
{
  const row_of l = row_at(s, y, z);
  const triad_real *r = s->r, *w = s->per_diagonals, one = s->per_diagonal, beta = (triad_real)s->beta,
                   a = (triad_real)TRIAD_STAGGERED_POLYNOMIAL;
  triad_real *d = s->d;
#pragma omp simd
  for (int64_t x = 0; x < l.n; x++) {
    const int64_t at = l.first + x;
    const triad_real q = matrix(uniform, closed, weighted, &l, r, w, at, x);
    d[at] = weighted ? w[at] * (a * r[at] - q) + beta * d[at] : one * (a * r[at] - one * q) + beta * d[at];
  }
}

void triad_staggered_direction_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  (void)sums;
  BY_KIND(s, y, z, direction_row, s, y, z);
}

void triad_staggered_given_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  const triad_real *from = s->z + first, beta = (triad_real)s->beta;
  triad_real *d = s->d + first;
  (void)sums;
#pragma omp simd
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) d[x] = from[x] + beta * d[x];
}

/* p = p + alpha d, r = r - alpha A d; of a new residual, r = b - A p, which is stored where it is to be kept. */
TRIAD_POINT_INLINE void descent_row(const int uniform, const int closed, const int weighted, const int anew,
                                    const int kept, triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
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
    if (kept) r[at] = left;
    rr += (double)left * (double)left;
    if (weighted) rz += (double)w[at] * (double)left * (double)left;
  }
  sums[0] = rr;
  sums[1] = rz;
}

TRIAD_POINT_INLINE void descent_kind(const int uniform, const int closed, const int weighted, triad_staggered_sweeps *s,
                                     int64_t y, int64_t z, double *sums)
{
  descent_row(uniform, closed, weighted, 0, 1, s, y, z, sums);
}

TRIAD_POINT_INLINE void residual_kind(const int uniform, const int closed, const int weighted,
                                      triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  descent_row(uniform, closed, weighted, 1, 1, s, y, z, sums);
}

TRIAD_POINT_INLINE void squares_kind(const int uniform, const int closed, const int weighted, triad_staggered_sweeps *s,
                                     int64_t y, int64_t z, double *sums)
{
  (void)weighted;
  descent_row(uniform, closed, 0, 1, 0, s, y, z, sums);
}

void triad_staggered_descent_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  BY_KIND(s, y, z, descent_kind, s, y, z, sums);
}

void triad_staggered_residual_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  BY_KIND(s, y, z, residual_kind, s, y, z, sums);
}

void triad_staggered_squares_row(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums)
{
  BY_KIND(s, y, z, squares_kind, s, y, z, sums);
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
#define FACE(i, t) /* the side times the square */ \
  ((double)side_of(uniform, closed, &l, 2 * (i), at, x) * \
   square((double)(weighted && scaled ? w[at] * f[at] - w[at - (t)] * f[at - (t)] : f[at] - f[at - (t)])))
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < l.n; x++) {
    const int64_t at = l.first + x;
    sum += FACE(0, tx) + FACE(1, ty) + FACE(2, tz);
  }
#undef FACE
  return one * one * sum;
}

double triad_staggered_faces(const triad_staggered_sweeps *s, const triad_real *f, int scaled, int64_t y, int64_t z)
{
  double sum;
  if (scaled) BY_KIND(s, y, z, sum = faces_row, 1, s, f, y, z);
  else BY_KIND(s, y, z, sum = faces_row, 0, s, f, y, z);
  return sum;
}
