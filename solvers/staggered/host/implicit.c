/* Solve (1 - theta div grad) u = b for each velocity component, or for the temperature, by conjugate gradients. */
#include "solvers/staggered/host/implicit.h"
#include "solvers/staggered/plain/rows.h"
#include "solvers/staggered/state/thermal.h"

#include <stdlib.h>

enum { MOST = 1000, HEAT = 3 };

struct triad_staggered_implicit {
  const triad_staggered_mesh *m;
  triad_real *r, *d, *q; /* residual, direction, matrix times direction */
  /* what rows are worked with */
  int a; /* component, HEAT: the temperature */
  triad_real *u;
  const triad_real *guess;
  double theta, factor;
};

/* Closed faces of a row to 0, where there are any: a loop of its own, as in momentum.c. */
static inline void close_row(const triad_staggered_implicit *s, triad_real *f, int64_t first)
{
  const uint8_t *open = s->m->open;
  const int bit = 2 * s->a;
  if (!s->m->closed || (s->a == HEAT && !s->m->solids)) return;
  if (s->a == HEAT) {
#pragma GCC ivdep
    for (int64_t at = first; at < first + s->m->blocks.local[0]; at++)
      f[at] *= triad_staggered_is_fluid(&s->m->sizes, at);
    return;
  }
#pragma GCC ivdep
  for (int64_t at = first; at < first + s->m->blocks.local[0]; at++) f[at] *= (triad_real)(open[at] >> bit & 1);
}

/* q = (1 - theta div grad) f; only where solids may be near are they looked for. */
TRIAD_POINT_INLINE void matrix_row(const int a, const int solids, const triad_staggered_implicit *s,
                                   const triad_real *f, int64_t y, int64_t z)
{
  const triad_staggered_sizes m = s->m->sizes;
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  const triad_real theta = (triad_real)s->theta;
  triad_real *q = s->q;
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    q[at] = f[at] - theta * triad_staggered_diffusion(a, solids, &m, f, at, c);
  }
}

TRIAD_POINT_INLINE void heat_row(const int solids, const triad_staggered_implicit *s, const triad_real *f, int64_t y,
                                 int64_t z)
{
  const triad_staggered_sizes m = s->m->sizes;
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  const int held = s->m->setup.thermal.solids_held;
  const triad_real theta = (triad_real)s->theta;
  triad_real *q = s->q;
#pragma GCC ivdep
  for (int64_t x = 0; x < n; x++) {
    const int64_t c[3] = {x, y, z}, at = first + x;
    q[at] = f[at] - theta * triad_staggered_conduction(solids, held, &m, f, at, c);
  }
}

static void multiply_matrix(const triad_staggered_implicit *s, const triad_real *f, int64_t y, int64_t z)
{
  const int solids = triad_staggered_near_solids(s->m, y, z);
  if (s->a == HEAT && solids) heat_row(1, s, f, y, z);
  else if (s->a == HEAT) heat_row(0, s, f, y, z);
  else if (s->a == 0 && solids) matrix_row(0, 1, s, f, y, z);
  else if (s->a == 0) matrix_row(0, 0, s, f, y, z);
  else if (s->a == 1 && solids) matrix_row(1, 1, s, f, y, z);
  else if (s->a == 1) matrix_row(1, 0, s, f, y, z);
  else if (solids) matrix_row(2, 1, s, f, y, z);
  else matrix_row(2, 0, s, f, y, z);
  close_row(s, s->q, triad_partition_at(&s->m->blocks, 0, y, z));
}

/* Sum of volumes times f g over a row. */
static double row_product(const triad_staggered_implicit *s, const triad_real *f, const triad_real *g, int64_t y,
                          int64_t z)
{
  const triad_staggered_sizes *m = &s->m->sizes;
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  const triad_real *along = (s->a == 0 ? m->d : m->h)[0];
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < n; x++) sum += (double)along[x] * (double)f[first + x] * (double)g[first + x];
  return sum * (double)(s->a == 1 ? m->d : m->h)[1][y] * (double)(s->a == 2 ? m->d : m->h)[2][z];
}

/* r = b - matrix guess, d = r, u = guess; the squares of b and r. */
static void begin_row(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_implicit *s = self;
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  close_row(s, s->u, first);
  results[0] = row_product(s, s->u, s->u, y, z);
  multiply_matrix(s, s->guess, y, z);
#pragma GCC ivdep
  for (int64_t at = first; at < first + n; at++) {
    s->r[at] = s->d[at] = s->u[at] - s->q[at];
    s->u[at] = s->guess[at];
  }
  if (s->a != HEAT) close_row(s, s->u, first);
  results[1] = row_product(s, s->r, s->r, y, z);
}

/* q = matrix d, d . q */
static void multiply_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_implicit *s = self;
  multiply_matrix(s, s->d, y, z);
  results[0] = row_product(s, s->d, s->q, y, z);
}

/* u = u + factor d,  r = r - factor q,  r . r */
static void step_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_implicit *s = self;
  const int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  const triad_real factor = (triad_real)s->factor, *d = s->d, *q = s->q;
  triad_real *u = s->u, *r = s->r;
#pragma GCC ivdep
  for (int64_t at = first; at < first + n; at++) {
    u[at] += factor * d[at];
    r[at] -= factor * q[at];
  }
  results[0] = row_product(s, r, r, y, z);
}

/* d = r + factor d */
static void direction_row(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_implicit *s = self;
  const triad_real factor = (triad_real)s->factor;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  (void)results;
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) s->d[first + x] = s->r[first + x] + factor * s->d[first + x];
}

int triad_staggered_implicit_create(triad_staggered_implicit **out, const triad_staggered_mesh *m)
{
  triad_memory *memory = m->context->memory;
  triad_staggered_implicit *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "implicit diffusion");
  if (s) {
    s->m = m;
    st = TRIAD_ALLOC(memory, "implicit diffusion", m->blocks.volume, &s->r);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "implicit diffusion", m->blocks.volume, &s->d);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "implicit diffusion", m->blocks.volume, &s->q);
  }
  st = triad_agree(&m->context->comm, st);
  if (st != TRIAD_OK) triad_staggered_implicit_destroy(out);
  return st;
}

void triad_staggered_implicit_destroy(triad_staggered_implicit **implicit)
{
  triad_staggered_implicit *s = *implicit;
  if (!s) return;
  TRIAD_FREE(s->m->context->memory, &s->r);
  TRIAD_FREE(s->m->context->memory, &s->d);
  TRIAD_FREE(s->m->context->memory, &s->q);
  free(s);
  *implicit = NULL;
}

static const char *const diffused[] = {"component x", "component y", "component z", "the temperature"};

static int solve_component(triad_staggered_implicit *s, double tolerance)
{
  double squares[2], dq, rr, goal;
  int iterations = 0;
  TRIAD_TRY(triad_staggered_rows(s->m, begin_row, s, 2, 0, squares));
  rr = squares[1];
  goal = tolerance * tolerance * squares[0];
  for (; rr > goal && iterations < MOST; iterations++) {
    double old = rr;
    if (s->a == HEAT) triad_staggered_fill_heat(s->m, 1, s->d);
    else triad_staggered_fill_change(s->m, s->a, s->d);
    TRIAD_TRY(triad_staggered_rows(s->m, multiply_row, s, 1, 0, &dq));
    if (!(dq > 0)) break; /* no numbers any more */
    s->factor = rr / dq;
    TRIAD_TRY(triad_staggered_rows(s->m, step_row, s, 1, 0, &rr));
    s->factor = rr / old;
    TRIAD_TRY(triad_staggered_rows(s->m, direction_row, s, 0, 0, NULL));
  }
  if (rr <= goal) return TRIAD_OK;
  return triad_agree(
    &s->m->context->comm,
    TRIAD_FAIL(
      TRIAD_ERR_BLOWUP,
      "implicit diffusion of %s does not converge: after %d iterations the "
      "residual is %.3g of the right-hand side, but solver.tolerance is %.3g: use a larger one, or a smaller time.dt",
      diffused[s->a], iterations, sqrt(rr / squares[0]), tolerance));
}

int triad_staggered_implicit_solve(triad_staggered_implicit *s, double theta, double tolerance,
                                   const triad_real *const guess[3], triad_real *const u[3])
{
  s->theta = theta;
  for (s->a = 0; s->a < 3; s->a++) {
    s->guess = guess[s->a];
    s->u = u[s->a];
    TRIAD_TRY(solve_component(s, tolerance));
  }
  return TRIAD_OK;
}

int triad_staggered_implicit_solve_heat(triad_staggered_implicit *s, double theta, double tolerance,
                                        const triad_real *guess, triad_real *heat)
{
  s->theta = theta;
  s->a = HEAT;
  s->guess = guess;
  s->u = heat;
  return solve_component(s, tolerance);
}
