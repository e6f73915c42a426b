/* Evaluate formulas of a case at all points of a space and report the first point without a finite value. */
#include "solvers/box/formulas.h"

#include "base/status.h"

#include <math.h>

enum { PIECE = 256 };

/* Part of a run from entry `from` on; the entry whose value is not finite, or -1. */
static int64_t fill_piece(const triad_space *space, const triad_formula *f, const triad_space_run *run, int64_t from,
                          int n, triad_real *out)
{
  double x[PIECE], y[PIECE], z[PIECE], value[PIECE];
  const double *const variables[] = {x, y, z};
  for (int i = 0; i < n; i++) {
    double at[3];
    space->kind->position(space, run->global + from + i, at);
    x[i] = at[0];
    y[i] = at[1];
    z[i] = at[2];
  }
  triad_formula_rows(f, n, variables, value);
  for (int i = 0; i < n; i++) {
    const triad_real stored = (triad_real)value[i];
    if (!isfinite(stored)) return run->global + from + i;
    out[run->at + (from + i) * run->step] = stored;
  }
  return -1;
}

static int64_t fill_run(const triad_space *space, const triad_formula *f, int64_t number, triad_real *out)
{
  triad_space_run run;
  int64_t bad = -1;
  space->kind->run(space, number, &run);
  for (int64_t from = 0; from < run.count && bad < 0; from += PIECE) {
    const int n = run.count - from < PIECE ? (int)(run.count - from) : PIECE;
    if (f) bad = fill_piece(space, f, &run, from, n, out);
    for (int i = 0; !f && i < n; i++) out[run.at + (from + i) * run.step] = 0;
  }
  return bad;
}

/* The value once more, for the message. */
static int complain(const triad_space *space, const triad_formula *f, const char *key, int64_t global)
{
  double at[3], value;
  const double *const variables[] = {&at[0], &at[1], &at[2]};
  space->kind->position(space, global, at);
  triad_formula_rows(f, 1, variables, &value);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %s at x = %g, y = %g, z = %g, but must be finite", key,
                    isnan(value) ? "not a number" : "infinite", at[0], at[1], at[2]);
}

int triad_formulas_fill_with(const triad_context *context, const triad_formula *f, const triad_space *space,
                             const char *key, triad_real *out)
{
  int64_t bad = INT64_MAX;
#pragma omp parallel for schedule(static) num_threads(context->threads) reduction(min : bad)
  for (int64_t r = 0; r < space->n_runs; r++) {
    int64_t here = fill_run(space, f, r, out);
    if (here >= 0 && here < bad) bad = here;
  }
  return bad == INT64_MAX ? TRIAD_OK : complain(space, f, key, bad);
}

int triad_formulas_fill(const triad_context *context, const triad_case *given, const triad_space *space,
                        const char *key, int i, triad_real *out)
{
  triad_formula *f;
  TRIAD_TRY(triad_case_formula(given, key, i, &f));
  int status = triad_formulas_fill_with(context, f, space, key, out);
  triad_formula_destroy(&f);
  return status;
}
