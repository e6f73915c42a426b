/* Run the two sweeps of an iteration of conjugate gradients, and overlap them with the exchange of halos. */
#include "solvers/staggered/pressure/sweeps.h"
#include "solvers/staggered/plain/rows.h"

#include "solvers/staggered/plain/waves.h"

#include "parallel/sum.h"
#include "solvers/staggered/points/staggered_points.h"
#include "solvers/staggered/pressure/sweep_rows.h"

#include <stdlib.h>
#include <string.h>

enum { SUMS = 3 };

/* A sweep: what it does with a row, adding to `n` sums; the field that it writes, whose ghosts it fills; and, with
 * `faces`, one sum more, v . A v of that field (or v = field/diag). */
typedef struct sweep {
  void (*row)(triad_staggered_sweeps *s, int64_t y, int64_t z, double *sums);
  int n, faces, scaled;
  triad_real *field;
} sweep;

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

/* What the row two further on will be made of, and is not in cache: the memory is read while this row is worked on.
 * Always inline: a compiler may take a function that does no more for one without effect. */
TRIAD_POINT_INLINE void fetch_ahead(const triad_staggered_sweeps *s, const sweep *w, int64_t y, int64_t z)
{
  enum { LINE = 64 / sizeof(triad_real) };
  const triad_partition *b = &s->m->blocks;
  const int64_t at = triad_partition_at(b, 0, y, z) + 2 * b->stride[1], above = at + b->stride[2];
  if (above + b->local[0] > b->volume) return;
  for (int64_t x = 0; x < b->local[0]; x += LINE) {
    __builtin_prefetch(&w->field[at + x], 1);
    if (w->row == triad_staggered_residual_row) {
      __builtin_prefetch(&s->b[at + x]);
      __builtin_prefetch(&s->p[above + x]);
    } else if (w->row == triad_staggered_descent_row) {
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
      triad_sum_add(&sums[w->n], triad_staggered_faces(s, w->field, w->scaled, y, z));
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
            t == 0 && which == INNER && s->overlap && !s->apart, mine);
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

/* rows: their own ghosts along x, too. */
static void fill_ghosts(triad_staggered_sweeps *s, triad_real *f, int rows)
{
  const triad_partition *b = &s->m->blocks;
  triad_real *const fields[1] = {f};
  for (int64_t z = 0; z < b->local[2] && rows; z++)
    for (int64_t y = 0; y < b->local[1]; y++) row_ends(s->m, f + triad_partition_at(b, 0, y, z));
  if (s->halo) triad_halo_exchange(s->halo, fields, 1);
  own_ghosts(s->m, 1, f);
  own_ghosts(s->m, 2, f);
}

/* What has been done since counts as that part, where sweeps are told apart. */
static void note(triad_staggered_sweeps *s, enum triad_solve_part of, double *since)
{
  if (!s->apart) return;
  const double now = triad_now();
  s->part_s[of] += now - *since;
  *since = now;
}

static void charge(triad_staggered_sweeps *s, int phase) { triad_phases_charge(&s->phases, phase, &s->charged); }

/* phase: of the rows */
static int run_sweep(triad_staggered_sweeps *s, const sweep *w, int phase, double *results)
{
  triad_real *const fields[1] = {w->field};
  const int during = s->overlap && !s->apart; /* inner rows are computed while the others are communicated */
  double since = s->charged = triad_now();
  triad_sum all[SUMS];
  for (int i = 0; i < SUMS; i++) triad_sum_clear(&all[i]);
  if (s->overlap) {
    pass(s, w, OUTER, all);
    note(s, TRIAD_SOLVE_PLANES, &since);
    charge(s, phase);
    triad_halo_begin(s->halo, fields, 1);
    note(s, TRIAD_SOLVE_COPIES, &since);
    if (!during) triad_halo_end(s->halo);
    note(s, TRIAD_SOLVE_MESSAGES, &since);
    charge(s, TRIAD_PHASE_EXCHANGE);
  }
  pass(s, w, INNER, all);
  note(s, TRIAD_SOLVE_INTERIOR, &since);
  charge(s, phase);
  if (!s->overlap && s->halo) {
    triad_halo_begin(s->halo, fields, 1);
    note(s, TRIAD_SOLVE_COPIES, &since);
  }
  if (s->halo && (during || !s->overlap)) triad_halo_end(s->halo);
  note(s, TRIAD_SOLVE_MESSAGES, &since);
  charge(s, TRIAD_PHASE_EXCHANGE);
  own_ghosts(s->m, 1, w->field);
  own_ghosts(s->m, 2, w->field);
  if (w->faces) pass(s, w, LATE, all);
  note(s, TRIAD_SOLVE_PLANES, &since);
  charge(s, phase);
  TRIAD_TRY(triad_sum_all(&s->m->context->comm, all, w->n + w->faces, results));
  note(s, TRIAD_SOLVE_SUMS, &since);
  charge(s, TRIAD_STAGGERED_PHASE_SUMS);
  return TRIAD_OK;
}

int triad_staggered_direction(triad_staggered_sweeps *s, const triad_real *z, double beta, double *dq)
{
  const sweep w = {.row = z ? triad_staggered_given_row : triad_staggered_direction_row, .faces = 1, .field = s->d};
  s->z = z;
  s->beta = beta;
  return run_sweep(s, &w, TRIAD_STAGGERED_PHASE_DIRECTION, dq);
}

/* r . M r = 2.1 r . r/diag - v . A v,  v = r/diag */
static int residual_sweep(triad_staggered_sweeps *s, sweep *w, double products[2])
{
  double sums[SUMS];
  const int weighted = s->per_diagonals != NULL;
  w->n = weighted ? 2 : 1;
  w->faces = w->scaled = s->polynomial;
  w->field = s->r;
  TRIAD_TRY(run_sweep(s, w, TRIAD_STAGGERED_PHASE_DESCENT, sums));
  products[0] = sums[0];
  products[1] = sums[0];
  if (weighted) products[1] = TRIAD_STAGGERED_POLYNOMIAL * sums[1] - sums[2];
  else if (s->polynomial) products[1] = TRIAD_STAGGERED_POLYNOMIAL * (double)s->per_diagonal * sums[0] - sums[1];
  return TRIAD_OK;
}

int triad_staggered_descent(triad_staggered_sweeps *s, triad_real *p, double alpha, double products[2])
{
  sweep w = {.row = triad_staggered_descent_row};
  s->p = p;
  s->alpha = alpha;
  return residual_sweep(s, &w, products);
}

int triad_staggered_residual(triad_staggered_sweeps *s, const triad_real *b, triad_real *p, double products[2])
{
  sweep w = {.row = triad_staggered_residual_row};
  s->p = p;
  s->b = b;
  fill_ghosts(s, p, 1);
  return residual_sweep(s, &w, products);
}

/* The matrix needs only the row's own ghosts along x. */
static void squares(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_sweeps *s = self;
  double sums[2];
  if (s->m->blocks.dims[0] == 1) row_ends(s->m, s->p + triad_partition_at(&s->m->blocks, 0, y, z));
  triad_staggered_squares_row(s, y, z, sums);
  results[0] = sums[0];
}

int triad_staggered_squares(triad_staggered_sweeps *s, const triad_real *b, triad_real *p, double *sum)
{
  s->p = p;
  s->b = b;
  fill_ghosts(s, p, s->m->blocks.dims[0] > 1);
  return triad_staggered_rows(s->m, squares, s, 1, 0, sum);
}

/* ---- what they work with ---- */

/* Where all cells are alike, from the grid as a whole: sizes from differences of positions round, and differ by
 * rank. */
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
  fill_ghosts(s, s->per_diagonals, 1);
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
  s->overlap = divided && b.dims[0] == 1 && s->m->setup.overlap != TRIAD_STAGGERED_OVERLAP_OFF;
  return divided ? triad_halo_create_of(&s->halo, s->m->context, &b, 1, 1, TRIAD_HALO_FACES) : TRIAD_OK;
}

static int allocate_buffers(triad_staggered_sweeps *s, int iterates)
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
  *s = (triad_staggered_sweeps){
    .m = m, .uniform = triad_staggered_is_uniform(&m->setup), .polynomial = pressure == TRIAD_STAGGERED_CG_POLYNOMIAL};
  int st = triad_agree(&m->context->comm, allocate_buffers(s, pressure < TRIAD_STAGGERED_CG_TRANSFORM));
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
