/* What tests of the flow share: a flow from a few lines of a case, the same flow of one rank alone, walks over modes.
 *
 * Grids here are small and plans are estimated, so that every rank and every context transforms with the same plans. */
#ifndef TRIAD_TESTS_UNIT_FLOW_H
#define TRIAD_TESTS_UNIT_FLOW_H

#include "test.h"
#include "families.h"

#include "parallel/sum.h"
#include "solvers/spectral/measure/budget.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/start/initial.h"
#include "solvers/spectral/step/stepper.h"

/* What the flows of these tests stay below, for arrays on the stack; the program itself has no such limits. */
enum {
  TRIAD_MAX_FIELDS = 16,
  TRIAD_MAX_RESULTS = 48,
  TRIAD_MAX_COLUMNS = 64,
  TRIAD_MAX_SPECTRA = 16,
  TRIAD_MAX_TRANSFERS = 12
};

/* ---- contexts ---- */

/* This rank alone, with one thread: what any number of ranks and threads must agree with. Collective: each makes its
 * own. */
static inline triad_context *test_alone(void)
{
  triad_context *context = NULL;
  TRIAD_CHECK(triad_context_create(&context, MPI_COMM_SELF, 1));
  return context;
}

static inline triad_context *test_together(void) { return triad_test_now.context; }

/* ---- flows ---- */

typedef struct test_flow {
  triad_case *given;
  triad_flow *flow; /* first, so that a test reads f.flow->u */
} test_flow;

/* The case is `text`, then each of the `sets` ("a.b=value", ended by NULL, may be NULL). Collective. */
static inline test_flow test_flow_make(triad_context *context, const char *text, const char *const *sets)
{
  test_flow f = {NULL, NULL};
  int n = 0;
  while (sets && sets[n]) n++;
  int st = triad_case_parse(&f.given, "test", text, strlen(text), sets, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", f.given ? triad_case_errors(f.given) : triad_message());
  TRIAD_CHECK(triad_flow_create(&f.flow, context, f.given, NULL));
  TRIAD_CHECK(triad_initial_set(f.flow, NULL));
  return f;
}

static inline void test_flow_free(test_flow *f)
{
  triad_flow_destroy(&f->flow);
  triad_case_destroy(&f->given);
}

static inline void test_advance(triad_flow *flow, double dt, int steps)
{
  triad_step step = {.dt = dt, .land_on = INFINITY};
  for (int i = 0; i < steps; i++) TRIAD_CHECK(triad_stepper_advance(flow->stepper, flow, &step));
}

static inline double test_column(triad_flow *flow, int column)
{
  double columns[TRIAD_MAX_COLUMNS];
  TRIAD_CHECK(triad_budget_measure(flow, columns));
  return columns[column];
}

/* ---- modes ---- */

/* Is number j of column c a mode that the truncation keeps (and not padding of the storage)? */
static inline int test_kept(const triad_layout *l, int64_t c, int64_t j)
{
  return llabs((long long)l->kz[j]) <= l->kz_extent[c];
}

/* The mode of layout `to` with the wavenumbers of (c, j) of `from`; -1 where it is not held there. */
static inline int64_t test_place_in(const triad_layout *to, const triad_layout *from, int64_t c, int64_t j)
{
  int conjugate;
  int64_t kz = from->kz[j];
  if (llabs((long long)kz) > to->grid.kmax[2] || !triad_grid_keeps(&to->grid, from->kx[c], from->ky[c], kz)) return -1;
  int64_t column = triad_layout_local(to, triad_layout_find(to, from->kx[c], from->ky[c], &conjugate));
  if (conjugate || column < 0) return -1;
  return triad_layout_place(to, column, triad_layout_kz_number(to, kz));
}

/* Sum over ranks; every rank must call. */
static inline double test_total(double mine)
{
  double all = NAN;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, triad_test_comm()->mpi)));
  return all;
}

static inline double test_largest(double mine)
{
  double all = NAN;
  if (isnan(mine)) mine = INFINITY; /* MPI_MAX need not pass a NaN on */
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  return all;
}

/* ||a - scale b|| / ||b|| over all modes and fields of two flows on the same ranks. */
static inline double test_distance(const triad_flow *a, const triad_flow *b, double scale)
{
  const triad_layout *l = a->layout;
  double difference = 0, size = 0;
  for (int f = 0; f < a->shape.n_fields; f++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        int64_t at = triad_layout_place(l, c, j);
        double re = (double)b->u[f][at].re, im = (double)b->u[f][at].im;
        double dr = (double)a->u[f][at].re - scale * re, di = (double)a->u[f][at].im - scale * im;
        difference += l->weight[c] * (dr * dr + di * di);
        size += l->weight[c] * (re * re + im * im);
      }
  return sqrt(test_total(difference) / test_total(size));
}

/* Largest |a - b| over the modes that this rank holds of `a`, where b is held whole by this rank alone; a mode that b
 * does not hold counts as infinite. Compares bits where that is asked: then 0 means equal to the last one. */
static inline double test_differs_from_alone(const triad_flow *a, const triad_flow *alone, int bits)
{
  const triad_layout *l = a->layout;
  double worst = 0;
  for (int f = 0; f < a->shape.n_fields; f++)
    for (int64_t c = 0; c < l->n_columns; c++)
      for (int64_t j = 0; j < l->nkz; j++) {
        if (!test_kept(l, c, j)) continue;
        int64_t there = test_place_in(alone->layout, l, c, j);
        if (there < 0) return INFINITY;
        triad_cplx x = a->u[f][triad_layout_place(l, c, j)], y = alone->u[f][there];
        double d = fmax(fabs((double)(x.re - y.re)), fabs((double)(x.im - y.im)));
        if (bits && memcmp(&x, &y, sizeof x) != 0) d = fmax(d, 0x1p-1074);
        if (!(d <= worst)) worst = d;
      }
  return worst;
}

/* One flow on all ranks and on each alone has the same bits after some steps of dt. Collective. */
static inline void test_same_alone(triad_context *one, const char *text, const char *const *sets, double dt, int steps,
                                   const char *what)
{
  test_flow f = test_flow_make(test_together(), text, sets), alone = test_flow_make(one, text, sets);
  test_advance(f.flow, dt, steps);
  test_advance(alone.flow, dt, steps);
  TRIAD_WITHIN(test_differs_from_alone(f.flow, alone.flow, 1), 0, 0, what);
  test_flow_free(&f);
  test_flow_free(&alone);
}

#endif
