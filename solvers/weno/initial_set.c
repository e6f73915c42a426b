/* Where a compressible flow starts: a formula of the solver, or the fields of a file. */
#include "solvers/files.h"
#include "solvers/weno/flow.h"
#include "solvers/weno/initial.h"

static int from_file(triad_gas_flow *f, triad_log *log)
{
  const triad_space space = triad_gas_bare_space(f);
  triad_real *memory = NULL, *fields[TRIAD_WENO_FIELDS];
  int st = TRIAD_ALLOC(f->context->memory, "initial fields", TRIAD_WENO_FIELDS * space.memory, &memory);
  st = triad_agree(&f->context->comm, st);
  for (int i = 0; i < TRIAD_WENO_FIELDS && st == TRIAD_OK; i++) fields[i] = memory + i * space.memory;
  if (st == TRIAD_OK)
    st = triad_files_start(f->context, f->given, &space, triad_weno_primitive_fields, TRIAD_WENO_FIELDS, fields, log);
  if (st == TRIAD_OK) st = triad_weno_put(f->weno, (const triad_real *const *)fields);
  TRIAD_FREE(f->context->memory, &memory);
  return st;
}

static int from_formula(triad_gas_flow *f, triad_log *log)
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
  return triad_case_is(f->given, "initial.kind", "file") ? from_file(f, log) : from_formula(f, log);
}
