/* Where a compressible flow starts: a shape that the solver knows, formulas of the case, or the fields of a file. */
#include "solvers/files.h"
#include "solvers/formulas.h"
#include "solvers/weno/flow.h"
#include "solvers/weno/initial.h"

#include <stdio.h>

int triad_gas_check_positive(const triad_space *space, const char *key, const triad_real *values, int or_zero)
{
  triad_space_run run;
  double x[3];
  for (int64_t r = 0; r < space->n_runs; r++) {
    space->kind->run(space, r, &run);
    for (int64_t k = 0; k < run.count; k++) {
      const double value = (double)values[run.at + k * run.step];
      if (value > 0 || (or_zero && value == 0)) continue;
      space->kind->position(space, run.global + k, x);
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its value is %g at x = %g, y = %g, z = %g, and must %s", key, value, x[0],
                        x[1], x[2], or_zero ? "not be negative" : "be positive");
    }
  }
  return TRIAD_OK;
}

/* initial.rho and so on. */
static int fill(triad_gas_flow *f, const triad_space *space, triad_real *const *fields)
{
  for (int i = 0; i < TRIAD_WENO_FIELDS; i++) {
    char key[32];
    (void)snprintf(key, sizeof key, "initial.%s", triad_weno_primitive_fields[i].name);
    TRIAD_TRY(triad_formulas_fill(f->context, f->given, space, key, 0, fields[i]));
    if (i == 0 || i == TRIAD_WENO_FIELDS - 1) TRIAD_TRY(triad_gas_check_positive(space, key, fields[i], 0));
  }
  return TRIAD_OK;
}

static int from_points(triad_gas_flow *f, triad_log *log)
{
  const triad_space space = triad_gas_bare_space(f);
  triad_real *memory = NULL, *fields[TRIAD_WENO_FIELDS];
  int st = TRIAD_ALLOC(f->context->memory, "initial fields", TRIAD_WENO_FIELDS * space.memory, &memory);
  st = triad_agree(&f->context->comm, st);
  for (int i = 0; i < TRIAD_WENO_FIELDS && st == TRIAD_OK; i++) fields[i] = memory + i * space.memory;
  if (st == TRIAD_OK && triad_case_is(f->given, "initial.kind", "formula"))
    st = triad_agree(&f->context->comm, fill(f, &space, fields));
  else if (st == TRIAD_OK)
    st = triad_files_start(f->context, f->given, &space, triad_weno_primitive_fields, TRIAD_WENO_FIELDS, fields, log);
  if (st == TRIAD_OK) st = triad_weno_put(f->weno, (const triad_real *const *)fields);
  TRIAD_FREE(f->context->memory, &memory);
  return st;
}

static int from_shape(triad_gas_flow *f, triad_log *log)
{
  char text[512] = "";
  TRIAD_TRY(triad_weno_initial(f->weno, f->given, text, sizeof text));
  if (text[0]) triad_log_info(log, "%s", text);
  return TRIAD_OK;
}

int triad_gas_initial(void *flow, triad_log *log)
{
  triad_gas_flow *f = flow;
  if (triad_case_is(f->given, "initial.kind", "checkpoint")) return TRIAD_OK; /* at zero, to be read */
  const int at_points = triad_case_is(f->given, "initial.kind", "file") || triad_case_is(f->given, "initial.kind", "formula");
  return at_points ? from_points(f, log) : from_shape(f, log);
}
