/* Solve for the pressure by conjugate gradients, plain or preconditioned, or directly by the transform. */
#include "solvers/staggered/pressure/cg.h"
#include "solvers/staggered/plain/rows.h"

#include "solvers/staggered/state/regions.h"
#include "solvers/staggered/pressure/surface.h"
#include "solvers/staggered/pressure/sweeps.h"

#include <stdio.h>
#include <stdlib.h>

enum { HISTORY = 12, RESTARTS = 4 };

struct triad_staggered_solver {
  triad_staggered_mesh *m;
  triad_staggered_transform *transform; /* NULL: none */
  triad_staggered_sweeps sweeps;
  triad_staggered_surface *surface; /* with it, around solids; NULL: never */
  /* what rows are worked with */
  triad_real *b;
  double mean;
};

/* ---- rows ---- */

/* Of what is to lose its mean: its sum over the fluid, the fluid's cells, the sum of squares. */
static void sum_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_real *b = s->b;
  const uint8_t *open = s->m->open;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0], solid = 0;
  double sum = 0, squares = 0;
  for (int64_t at = first; s->m->solids && at < first + n; at++) {
    s->b[at] = open[at] & TRIAD_STAGGERED_SOLID ? 0 : b[at];
    solid += !!(open[at] & TRIAD_STAGGERED_SOLID);
  }
#pragma omp simd reduction(+ : sum, squares)
  for (int64_t at = first; at < first + n; at++) {
    sum += (double)b[at];
    squares += (double)b[at] * (double)b[at];
  }
  results[0] = sum;
  results[1] = (double)(n - solid);
  results[2] = squares;
}

/* From it - mean in fluid, and its square. */
static void level_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_solver *s = self;
  const triad_real mean = (triad_real)s->mean;
  const uint8_t *open = s->m->open;
  triad_real *b = s->b;
  int64_t first = triad_partition_at(&s->m->blocks, 0, y, z), n = s->m->blocks.local[0];
  double squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t at = first; at < first + n; at++) {
    b[at] -= mean;
    squares += (double)b[at] * (double)b[at];
  }
  results[0] = squares;
  if (!triad_staggered_is_masked(s->m, y, z)) return;
  for (int64_t at = first; at < first + n; at++)
    if (open[at] & TRIAD_STAGGERED_SOLID) {
      results[0] -= (double)b[at] * (double)b[at];
      b[at] = 0;
    }
}

/* ---- the solver ---- */

void triad_staggered_solver_renew(triad_staggered_solver *s)
{
  if (s->transform) triad_staggered_transform_renew(s->transform);
  triad_staggered_sweeps_renew(&s->sweeps);
}

int triad_staggered_solver_create(triad_staggered_solver **out, triad_staggered_mesh *m, const char *wisdom)
{
  triad_staggered_pressure kind = m->setup.pressure;
  triad_staggered_solver *s = *out = calloc(1, sizeof *s);
  int st = s ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the pressure solver");
  if (s) s->m = m;
  st = triad_agree(&m->context->comm, st);
  if (st == TRIAD_OK) st = triad_staggered_sweeps_create(&s->sweeps, m, kind);
  if (st == TRIAD_OK && kind >= TRIAD_STAGGERED_CG_TRANSFORM)
    st = triad_staggered_transform_create(&s->transform, m, wisdom);
  if (st == TRIAD_OK && kind == TRIAD_STAGGERED_CG_TRANSFORM)
    st = triad_staggered_surface_create(&s->surface, m, s->transform);
  if (st != TRIAD_OK) triad_staggered_solver_destroy(out);
  return st;
}

void triad_staggered_solver_destroy(triad_staggered_solver **solver)
{
  triad_staggered_solver *s = *solver;
  if (!s) return;
  triad_staggered_surface_destroy(&s->surface);
  triad_staggered_transform_destroy(&s->transform);
  triad_staggered_sweeps_destroy(&s->sweeps);
  free(s);
  *solver = NULL;
}

void triad_staggered_solver_apart(triad_staggered_solver *s, int apart) { s->sweeps.apart = apart; }

void triad_staggered_solver_parts(triad_staggered_solver *s, double part_s[TRIAD_SOLVE_PARTS])
{
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) {
    part_s[i] = s->surface ? 0 : s->sweeps.part_s[i]; /* its iterations are no sweeps */
    s->sweeps.part_s[i] = 0;
  }
}

triad_phases triad_staggered_solver_phases(triad_staggered_solver *s) { return triad_phases_take(&s->sweeps.phases); }

/* Around solids the transform has iterations of its own. */
int triad_staggered_solver_overlaps(const triad_staggered_solver *s) { return s->sweeps.overlap && !s->surface; }

/* Subtract the mean over the fluid, or over each region of it, if it exceeds the tolerance `least`; *norm: of the
 * result. */
static int remove_mean(triad_staggered_solver *s, triad_real *field, double least, double *norm)
{
  double sums[3], squares;
  s->b = field;
  if (s->m->regions > 1) {
    TRIAD_TRY(triad_staggered_regions_level(s->m, field, &squares));
    *norm = sqrt(squares);
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_staggered_rows(s->m, sum_row, s, 3, 0, sums));
  s->mean = sums[1] > 0 ? sums[0] / sums[1] : 0;
  squares = sums[2] - s->mean * sums[0];
  if (!(fabs(s->mean * sqrt(sums[1])) <= least * sqrt(squares)))
    TRIAD_TRY(triad_staggered_rows(s->m, level_row, s, 1, 0, &squares));
  *norm = sqrt(squares);
  return TRIAD_OK;
}

/* Residuals of a solve, thinned out as they come: at iterations 0, every, 2 every, .. */
typedef struct history {
  int n, every;
  double value[HISTORY];
} history;

static void note_residual(history *h, int iteration, double value)
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

static int report_failure(const history *h, int iterations, double last, double tolerance)
{
  char text[HISTORY * 24] = "";
  int at = 0;
  for (int i = 0; i < h->n; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, " %d: %.1e", i * h->every, h->value[i]);
  return TRIAD_FAIL(
    TRIAD_ERR_BLOWUP,
    "the pressure solver does not converge: after %d iterations the residual is %.3g of the right-hand "
    "side, but solver.tolerance is %.3g: use a larger one, or another solver.pressure; residuals by iteration:%s",
    iterations, last, tolerance, text);
}

/* From the residual r of p, products[] = {r . r, r . z}, until its norm is `goal` or `most` iterations are done. */
static int iterate_sweeps(triad_staggered_solver *s, triad_real *p, double norm, double goal, int most, history *h,
                          int *iterations, double products[2])
{
  const triad_real *z = s->m->setup.pressure == TRIAD_STAGGERED_CG ? s->sweeps.r : NULL;
  double old = 0, rz, dq;
  for (int i = 0; sqrt(products[0]) > goal && *iterations < most; i++) {
    rz = products[1];
    TRIAD_TRY(triad_staggered_direction(&s->sweeps, z, i > 0 ? rz / old : 0, &dq));
    if (!(dq > 0) || !isfinite(dq)) return TRIAD_OK; /* nothing left to gain, or no numbers: who asked looks */
    old = rz;
    TRIAD_TRY(triad_staggered_descent(&s->sweeps, p, rz / dq, products));
    note_residual(h, ++*iterations, sqrt(products[0]) / norm);
  }
  return TRIAD_OK;
}

/* The same with the transform: conjugate gradients on the residual after the transform, at cells that adjoin solids. */
static int iterate_beside(triad_staggered_solver *s, triad_real *p, double norm, double goal, int most, history *h,
                          int *iterations)
{
  double squares;
  int still = 0;
  s->sweeps.charged = triad_now();
  TRIAD_TRY(triad_staggered_surface_begin(s->surface, s->sweeps.r, &squares));
  while (!still && sqrt(squares) > goal && *iterations < most) {
    TRIAD_TRY(triad_staggered_surface_iterate(s->surface, &squares, &still));
    if (!still) note_residual(h, ++*iterations, sqrt(squares) / norm);
  }
  TRIAD_TRY(triad_staggered_surface_end(s->surface, s->sweeps.r, p));
  triad_phases_charge(&s->sweeps.phases, TRIAD_STAGGERED_PHASE_TRANSFORM, &s->sweeps.charged);
  return TRIAD_OK;
}

/* The residual that iterations carry on drifts from the true one by rounding: where the two part, on from the true
 * one. */
static int by_gradients(triad_staggered_solver *s, triad_real *p, double norm, double tolerance, double goal,
                        triad_staggered_solved *solved)
{
  const triad_staggered_setup *setup = &s->m->setup;
  int most = 100 + 20 * (int)(setup->n[0] + setup->n[1] + setup->n[2]);
  history h = {.every = 1};
  double products[2];
  TRIAD_TRY(triad_staggered_residual(&s->sweeps, s->b, p, products));
  note_residual(&h, 0, sqrt(products[0]) / norm);
  for (int again = 0; again < RESTARTS && sqrt(products[0]) > goal; again++) {
    TRIAD_TRY(s->surface ? iterate_beside(s, p, norm, goal, most, &h, &solved->iterations)
                         : iterate_sweeps(s, p, norm, goal, most, &h, &solved->iterations, products));
    TRIAD_TRY(triad_staggered_residual(&s->sweeps, s->b, p, products));
  }
  solved->residual = sqrt(products[0]) / norm;
  return sqrt(products[0]) <= goal ? TRIAD_OK : report_failure(&h, solved->iterations, solved->residual, tolerance);
}

static int transform_solve(triad_staggered_solver *s, const triad_real *b, triad_real *p)
{
  s->sweeps.charged = triad_now();
  TRIAD_TRY(triad_staggered_transform_solve(s->transform, b, p));
  triad_phases_charge(&s->sweeps.phases, TRIAD_STAGGERED_PHASE_TRANSFORM, &s->sweeps.charged);
  return TRIAD_OK;
}

/* One solve is exact up to rounding for any p; a second one corrects the remainder if necessary. */
static int by_transform(triad_staggered_solver *s, triad_real *p, double norm, double tolerance, double goal,
                        triad_staggered_solved *solved)
{
  history h = {.every = 1};
  double products[2] = {0};
  TRIAD_TRY(transform_solve(s, s->b, p));
  TRIAD_TRY(triad_staggered_squares(&s->sweeps, s->b, p, &products[0]));
  note_residual(&h, 0, 1);
  note_residual(&h, ++solved->iterations, sqrt(products[0]) / norm);
  if (!(sqrt(products[0]) <= goal)) TRIAD_TRY(triad_staggered_residual(&s->sweeps, s->b, p, products)); /* to be kept */
  while (sqrt(products[0]) > goal && solved->iterations < RESTARTS) {
    TRIAD_TRY(transform_solve(s, s->sweeps.r, s->sweeps.r));
    for (int64_t i = 0; i < s->m->blocks.volume; i++) p[i] += s->sweeps.r[i];
    TRIAD_TRY(triad_staggered_residual(&s->sweeps, s->b, p, products));
    note_residual(&h, ++solved->iterations, sqrt(products[0]) / norm);
  }
  solved->residual = sqrt(products[0]) / norm;
  return sqrt(products[0]) <= goal ? TRIAD_OK : report_failure(&h, solved->iterations, solved->residual, tolerance);
}

int triad_staggered_solve(triad_staggered_solver *s, triad_real *b, double tolerance, double rounding, triad_real *p,
                          triad_staggered_solved *solved)
{
  double norm, ignored;
  const int at_once = s->transform && !s->m->solids; /* what it helps elsewhere is exact once solids are released */
  *solved = (triad_staggered_solved){0, 0};
  TRIAD_TRY(remove_mean(s, b, at_once ? 0.01 * tolerance : 0, &norm)); /* a transform leaves the mean out */
  if (!isfinite(norm))
    return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the right-hand side of the pressure equation is not finite");
  if (norm <= rounding || !(norm > 0)) { /* no divergence but rounding's: the pressure stays */
    triad_staggered_fill_cells(s->m, p);
    return TRIAD_OK;
  }
  double goal = fmax(tolerance * norm, rounding);
  if (at_once) return by_transform(s, p, norm, tolerance, goal, solved);
  TRIAD_TRY(by_gradients(s, p, norm, tolerance, goal, solved));
  TRIAD_TRY(remove_mean(s, p, 0, &ignored));
  triad_staggered_fill_cells(s->m, p);
  return TRIAD_OK;
}
