/* Conjugate gradients. Each multiply makes the dot product that follows it, and each update the norm. */
#include "solvers/staggered/cg.h"

#include "solvers/staggered/regions.h"
#include "solvers/staggered/transform.h"

#include <stdio.h>
#include <stdlib.h>

enum { HISTORY = 12, RESTARTS = 4 };

struct triad_staggered_solver {
  triad_staggered_mesh *m;
  triad_staggered_transform *transform; /* NULL: none */
  triad_real *r, *d, *q;     /* residual; direction; A d. q is the preconditioned residual, too */
  triad_real *per_diagonal;  /* of A, with halo */
  double fluid;              /* cells of all ranks */
  /* what rows are worked with */
  triad_real *b, *p;
  const triad_real *from;
  double factor;
};

/* The a of q(x) = a - x, 2 and more: x q(x) > 0 on (0, 2], where the eigenvalues of A/diag are. With 2 itself the
 * checkerboard would have none. */
static const double polynomial = 2.1;

/* ---- rows ---- */

TRIAD_POINT_INLINE double multiply_row(const int closed, triad_staggered_solver *s, int64_t y, int64_t z)
{
  const triad_staggered_sizes *sizes = &s->m->sizes;
  const triad_staggered_row row = triad_staggered_row_of(sizes, y, z);
  const triad_real *d = s->d;
  triad_real *q = s->q;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    triad_real side[6];
    triad_staggered_sides(closed, sizes, &row, first + x, x, side);
    q[first + x] = triad_staggered_matrix(sizes, side, d, first + x);
    sum += (double)d[first + x] * (double)q[first + x];
  }
  return sum;
}

static void multiply(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_solver *s = self;
  results[0] = s->m->closed ? multiply_row(1, s, y, z) : multiply_row(0, s, y, z);
}

/* q = (2.1 - A/diag) r/diag, and q . r */
TRIAD_POINT_INLINE double precondition_row(const int closed, triad_staggered_solver *s, int64_t y, int64_t z)
{
  const triad_staggered_sizes *sizes = &s->m->sizes;
  const triad_staggered_row row = triad_staggered_row_of(sizes, y, z);
  const triad_real *r = s->r, *w = s->per_diagonal, part = (triad_real)(polynomial - 1);
  triad_real *q = s->q;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    const int64_t at = first + x;
    triad_real side[6], around = 0;
    triad_staggered_sides(closed, sizes, &row, at, x, side);
    for (int b = 0; b < 3; b++) {
      const int64_t t = sizes->step[b];
      around += side[2 * b] * r[at - t] * w[at - t] + side[2 * b + 1] * r[at + t] * w[at + t];
    }
    q[at] = w[at] * (part * r[at] + around);
    sum += (double)q[at] * (double)r[at];
  }
  return sum;
}

static void precondition(void *self, int64_t y, int64_t z, double *results)
{
  triad_staggered_solver *s = self;
  results[0] = s->m->closed ? precondition_row(1, s, y, z) : precondition_row(0, s, y, z);
}

/* q . r */
static void product(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) sum += (double)s->q[first + x] * (double)s->r[first + x];
  results[0] = sum;
}

/* d = from + factor d */
static void direction(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_real factor = (triad_real)s->factor, *from = s->from;
  triad_real *d = s->d;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  (void)results;
#pragma omp simd
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) d[first + x] = from[first + x] + factor * d[first + x];
}

/* p = p + factor d,  r = r - factor q,  r . r */
static void step(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_real factor = (triad_real)s->factor;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    s->p[first + x] += factor * s->d[first + x];
    s->r[first + x] -= factor * s->q[first + x];
    sum += (double)s->r[first + x] * (double)s->r[first + x];
  }
  results[0] = sum;
}

/* r = b - A p, r . r */
static void residual(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_staggered_sizes *sizes = &s->m->sizes;
  const triad_staggered_row row = triad_staggered_row_of(sizes, y, z);
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    triad_real side[6];
    triad_staggered_sides(1, sizes, &row, first + x, x, side);
    s->r[first + x] = s->b[first + x] - triad_staggered_matrix(sizes, side, s->p, first + x);
    sum += (double)s->r[first + x] * (double)s->r[first + x];
  }
  results[0] = sum;
}

/* Of what is to lose its mean: its sum over the fluid; then from - factor in fluid, 0 in solids, and its square. */
static void total(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    int fluid = !(s->m->open[first + x] & TRIAD_STAGGERED_SOLID);
    results[0] += fluid ? (double)s->b[first + x] : 0;
    results[1] += fluid;
  }
}

static void level(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    triad_real *b = &s->b[first + x];
    *b = s->m->open[first + x] & TRIAD_STAGGERED_SOLID ? 0 : *b - (triad_real)s->factor;
    results[0] += (double)*b * (double)*b;
  }
}

static void diagonal(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_staggered_row row = triad_staggered_row_of(&s->m->sizes, y, z);
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z);
  (void)results;
  for (int64_t x = 0; x < s->m->blocks.local[0]; x++) {
    triad_real side[6];
    triad_staggered_sides(1, &s->m->sizes, &row, first + x, x, side);
    s->per_diagonal[first + x] = 1 / triad_staggered_diagonal(side);
  }
}

/* ---- the solver ---- */

int triad_staggered_solver_renew(triad_staggered_solver *s)
{
  if (s->transform) triad_staggered_transform_renew(s->transform);
  if (!s->per_diagonal) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_rows(s->m, diagonal, s, 0, 0, NULL));
  triad_staggered_fill_cells(s->m, s->per_diagonal);
  return TRIAD_OK;
}

int triad_staggered_solver_create(triad_staggered_solver **out, triad_staggered_mesh *m, const char *wisdom)
{
  triad_memory *memory = m->context->memory;
  triad_staggered_pressure kind = m->setup.pressure;
  int64_t n = m->blocks.volume;
  triad_staggered_solver *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure's solver");
  if (s) {
    s->m = m;
    st = TRIAD_ALLOC(memory, "conjugate gradients", n, &s->r);
    if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "conjugate gradients", n, &s->q);
    if (st == TRIAD_OK && kind != TRIAD_STAGGERED_TRANSFORM) st = TRIAD_ALLOC(memory, "conjugate gradients", n, &s->d);
    if (st == TRIAD_OK && kind == TRIAD_STAGGERED_CG_POLYNOMIAL)
      st = TRIAD_ALLOC(memory, "conjugate gradients", n, &s->per_diagonal);
  }
  st = triad_agree(&m->context->comm, st);
  if (st == TRIAD_OK && kind >= TRIAD_STAGGERED_CG_TRANSFORM)
    st = triad_staggered_transform_create(&s->transform, m, wisdom);
  if (st == TRIAD_OK) st = triad_staggered_solver_renew(s);
  if (st != TRIAD_OK) triad_staggered_solver_destroy(out);
  return st;
}

void triad_staggered_solver_destroy(triad_staggered_solver **solver)
{
  triad_staggered_solver *s = *solver;
  if (!s) return;
  triad_memory *memory = s->m->context->memory;
  triad_staggered_transform_destroy(&s->transform);
  TRIAD_FREE(memory, &s->r);
  TRIAD_FREE(memory, &s->d);
  TRIAD_FREE(memory, &s->q);
  TRIAD_FREE(memory, &s->per_diagonal);
  free(s);
  *solver = NULL;
}

/* Take the mean over the fluid, or each region of it, away; *squares: what is left, squared. */
static int remove_mean(triad_staggered_solver *s, triad_real *field, double *squares)
{
  double sums[2];
  if (s->m->regions > 1) return triad_staggered_regions_level(s->m, field, squares);
  s->b = field;
  TRIAD_TRY(triad_staggered_rows(s->m, total, s, 2, 0, sums));
  s->factor = sums[1] > 0 ? sums[0] / sums[1] : 0;
  return triad_staggered_rows(s->m, level, s, 1, 0, squares);
}

/* q = M r, *rz = q . r; the vector to go on with is *z. */
static int apply(triad_staggered_solver *s, double rr, const triad_real **z, double *rz)
{
  *z = s->q;
  switch (s->m->setup.pressure) {
  case TRIAD_STAGGERED_CG_POLYNOMIAL:
    triad_staggered_fill_cells(s->m, s->r);
    return triad_staggered_rows(s->m, precondition, s, 1, 0, rz);
  case TRIAD_STAGGERED_CG_TRANSFORM:
    TRIAD_TRY(triad_staggered_transform_solve(s->transform, s->r, s->q));
    return triad_staggered_rows(s->m, product, s, 1, 0, rz);
  default:
    *z = s->r;
    *rz = rr;
    return TRIAD_OK;
  }
}

/* Residuals of a solve, thinned out as they come: at iterations 0, every, 2 every, .. */
typedef struct history {
  int n, every;
  double value[HISTORY];
} history;

static void note(history *h, int iteration, double value)
{
  if (iteration % h->every) return;
  if (h->n == HISTORY) {
    for (int i = 0; i < HISTORY / 2; i++) h->value[i] = h->value[2 * i];
    h->n = HISTORY / 2;
    h->every *= 2;
    if (iteration % h->every) return;
  }
  h->value[h->n++] = value;
}

static int fail(const history *h, int iterations, double last, double tolerance)
{
  char text[HISTORY * 24] = "";
  int at = 0;
  for (int i = 0; i < h->n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, " %d: %.1e", i * h->every, h->value[i]);
  return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the pressure is not found: after %d iterations the residual is %.3g of the right-hand "
                                      "side, solver.tolerance asks for %.3g; residuals by iteration:%s", iterations, last,
                    tolerance, text);
}

/* From the residual r of p until its norm is `goal` or `most` iterations are done. */
static int iterate(triad_staggered_solver *s, double norm, double goal, int most, history *h, int *iterations,
                   double *rr)
{
  double old = 0, rz, dq;
  for (int i = 0; sqrt(*rr) > goal && *iterations < most; i++) {
    TRIAD_TRY(apply(s, *rr, &s->from, &rz));
    s->factor = i > 0 ? rz / old : 0;
    old = rz;
    TRIAD_TRY(triad_staggered_rows(s->m, direction, s, 0, 0, NULL));
    triad_staggered_fill_cells(s->m, s->d);
    TRIAD_TRY(triad_staggered_rows(s->m, multiply, s, 1, 0, &dq));
    if (!(dq > 0) || !isfinite(dq)) return TRIAD_OK; /* nothing left to gain, or no numbers: who asked looks */
    s->factor = rz / dq;
    TRIAD_TRY(triad_staggered_rows(s->m, step, s, 1, 0, rr));
    note(h, ++*iterations, sqrt(*rr) / norm);
  }
  return TRIAD_OK;
}

static int true_residual(triad_staggered_solver *s, double *rr)
{
  triad_staggered_fill_cells(s->m, s->p);
  return triad_staggered_rows(s->m, residual, s, 1, 0, rr);
}

/* The residual that iterations carry on drifts from the true one by rounding: where the two part, on from the true one. */
static int by_gradients(triad_staggered_solver *s, double norm, double tolerance, double goal, triad_staggered_solved *solved)
{
  const triad_staggered_setup *setup = &s->m->setup;
  int most = 100 + 20 * (int)(setup->n[0] + setup->n[1] + setup->n[2]);
  history h = {.every = 1};
  double rr = 0;
  TRIAD_TRY(true_residual(s, &rr));
  note(&h, 0, sqrt(rr) / norm);
  for (int again = 0; again < RESTARTS && sqrt(rr) > goal; again++) {
    TRIAD_TRY(iterate(s, norm, goal, most, &h, &solved->iterations, &rr));
    TRIAD_TRY(true_residual(s, &rr));
  }
  solved->residual = sqrt(rr) / norm;
  return sqrt(rr) <= goal ? TRIAD_OK : fail(&h, solved->iterations, solved->residual, tolerance);
}

/* One solve is exact but for rounding; another of what is left, where that is not enough. */
static int by_transform(triad_staggered_solver *s, double norm, double tolerance, double goal, triad_staggered_solved *solved)
{
  history h = {.every = 1};
  double rr = 0;
  TRIAD_TRY(true_residual(s, &rr));
  note(&h, 0, sqrt(rr) / norm);
  while (sqrt(rr) > goal && solved->iterations < RESTARTS) {
    TRIAD_TRY(triad_staggered_transform_solve(s->transform, s->r, s->q));
    for (int64_t i = 0; i < s->m->blocks.volume; i++) s->p[i] += s->q[i];
    TRIAD_TRY(true_residual(s, &rr));
    note(&h, ++solved->iterations, sqrt(rr) / norm);
  }
  solved->residual = sqrt(rr) / norm;
  return sqrt(rr) <= goal ? TRIAD_OK : fail(&h, solved->iterations, solved->residual, tolerance);
}

int triad_staggered_solve(triad_staggered_solver *s, triad_real *b, double tolerance, double rounding, triad_real *p,
                          triad_staggered_solved *solved)
{
  double norm = 0, ignored;
  *solved = (triad_staggered_solved){0, 0};
  TRIAD_TRY(remove_mean(s, b, &norm));
  norm = sqrt(norm);
  if (!isfinite(norm)) return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the pressure's right-hand side is not finite");
  s->p = p;
  if (norm <= rounding || !(norm > 0)) { /* no divergence but rounding's: the pressure stays */
    triad_staggered_fill_cells(s->m, p);
    return TRIAD_OK;
  }
  double goal = fmax(tolerance * norm, rounding);
  s->b = b;
  TRIAD_TRY(s->m->setup.pressure == TRIAD_STAGGERED_TRANSFORM ? by_transform(s, norm, tolerance, goal, solved)
                                                              : by_gradients(s, norm, tolerance, goal, solved));
  TRIAD_TRY(remove_mean(s, p, &ignored));
  triad_staggered_fill_cells(s->m, p);
  return TRIAD_OK;
}
