#include "solvers/staggered/implicit.h"

#include <stdlib.h>

enum { MOST = 1000 };

struct triad_staggered_implicit {
  const triad_staggered_mesh *m;
  triad_real *r, *d, *q; /* residual, direction, matrix times direction */
  /* what rows are worked with */
  int a; /* component */
  triad_real *u;
  const triad_real *guess;
  double theta, factor;
};

/* An open face's volume; 0 of a closed one. */
static inline double weight(const triad_staggered_mesh *m, int a, int64_t at, const int64_t c[3])
{
  return m->sizes.open[at] & TRIAD_STAGGERED_LOWER(a) ? triad_staggered_volume(&m->sizes, a, c) : 0;
}

/* (1 - theta div grad) f at a face; solids are looked for at each. */
static inline triad_real matrix(const triad_staggered_implicit *s, const triad_real *f, int64_t at, const int64_t c[3])
{
  const triad_staggered_sizes *m = &s->m->sizes;
  triad_real lap = s->a == 0   ? triad_staggered_diffusion(0, 1, m, f, at, c)
                   : s->a == 1 ? triad_staggered_diffusion(1, 1, m, f, at, c)
                               : triad_staggered_diffusion(2, 1, m, f, at, c);
  return f[at] - (triad_real)s->theta * lap;
}

/* r = b - matrix guess, d = r, u = guess; the squares of b and r. */
static void begin(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_implicit *s = self;
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&s->m->blocks, x, y, z);
    double w = weight(s->m, s->a, at, c), b = (double)s->u[at];
    s->r[at] = s->d[at] = w > 0 ? s->u[at] - matrix(s, s->guess, at, c) : 0;
    s->u[at] = w > 0 ? s->guess[at] : 0;
    results[0] += w * b * b;
    results[1] += w * (double)s->r[at] * (double)s->r[at];
  }
}

/* q = matrix d, d . q */
static void multiply(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_implicit *s = self;
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&s->m->blocks, x, y, z);
    double w = weight(s->m, s->a, at, c);
    s->q[at] = w > 0 ? matrix(s, s->d, at, c) : 0;
    results[0] += w * (double)s->d[at] * (double)s->q[at];
  }
}

/* u = u + factor d,  r = r - factor q,  r . r */
static void step(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_implicit *s = self;
  const triad_real factor = (triad_real)s->factor;
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&s->m->blocks, x, y, z);
    s->u[at] += factor * s->d[at];
    s->r[at] -= factor * s->q[at];
    results[0] += weight(s->m, s->a, at, c) * (double)s->r[at] * (double)s->r[at];
  }
}

/* d = r + factor d */
static void direction(void *self, int64_t y, int64_t z, double *results)
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

static int solve(triad_staggered_implicit *s, double tolerance, int *iterations)
{
  double squares[2], dq, rr, goal;
  TRIAD_TRY(triad_staggered_rows(s->m, begin, s, 2, 0, squares));
  rr = squares[1];
  goal = tolerance * tolerance * squares[0];
  for (*iterations = 0; rr > goal && *iterations < MOST; ++*iterations) {
    double old = rr;
    triad_staggered_fill_change(s->m, s->a, s->d);
    TRIAD_TRY(triad_staggered_rows(s->m, multiply, s, 1, 0, &dq));
    if (!(dq > 0)) break; /* no numbers any more */
    s->factor = rr / dq;
    TRIAD_TRY(triad_staggered_rows(s->m, step, s, 1, 0, &rr));
    s->factor = rr / old;
    TRIAD_TRY(triad_staggered_rows(s->m, direction, s, 0, 0, NULL));
  }
  if (rr <= goal) return TRIAD_OK;
  return triad_agree(&s->m->context->comm,
                     TRIAD_FAIL(TRIAD_ERR_BLOWUP, "implicit diffusion of component %c is not found: after %d iterations the "
                                                  "residual is %.3g of the right-hand side, solver.tolerance asks for %.3g",
                                "xyz"[s->a], *iterations, sqrt(rr / squares[0]), tolerance));
}

int triad_staggered_implicit_solve(triad_staggered_implicit *s, double theta, double tolerance,
                                   const triad_real *const guess[3], triad_real *const u[3], int *iterations)
{
  s->theta = theta;
  *iterations = 0;
  for (s->a = 0; s->a < 3; s->a++) {
    int took;
    s->guess = guess[s->a];
    s->u = u[s->a];
    TRIAD_TRY(solve(s, tolerance, &took));
    if (took > *iterations) *iterations = took;
  }
  return TRIAD_OK;
}
