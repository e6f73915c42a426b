/* Where a compressible flow starts: a shape that the solver knows, formulas of the case, or the fields of a file. */
#include "solvers/compressible/case/initial_set.h"
#include "solvers/box/files.h"
#include "solvers/box/formulas.h"
#include "solvers/compressible/state/flow.h"
#include "solvers/compressible/case/initial.h"
#include "solvers/compressible/state/internal.h"

#include <math.h>
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
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is %g at x = %g, y = %g, z = %g: it must %s", key, value, x[0], x[1], x[2],
                        or_zero ? "not be negative" : "be positive");
    }
  }
  return TRIAD_OK;
}

/* initial.rho and so on. */
static int fill(triad_gas_flow *f, const triad_space *space, triad_real *const *fields)
{
  for (int i = 0; i < TRIAD_COMPRESSIBLE_FIELDS; i++) {
    char key[32];
    (void)snprintf(key, sizeof key, "initial.%s", triad_compressible_primitive_fields[i].name);
    TRIAD_TRY(triad_formulas_fill(f->context, f->given, space, key, 0, fields[i]));
    if (i == 0 || i == TRIAD_COMPRESSIBLE_FIELDS - 1) TRIAD_TRY(triad_gas_check_positive(space, key, fields[i], 0));
  }
  return TRIAD_OK;
}

static int from_points(triad_gas_flow *f, triad_log *log)
{
  const triad_space space = triad_gas_bare_space(f);
  triad_real *memory = NULL, *fields[TRIAD_COMPRESSIBLE_FIELDS];
  int st = TRIAD_ALLOC(f->context->memory, "initial fields", TRIAD_COMPRESSIBLE_FIELDS * space.memory, &memory);
  st = triad_agree(&f->context->comm, st);
  for (int i = 0; i < TRIAD_COMPRESSIBLE_FIELDS && st == TRIAD_OK; i++) fields[i] = memory + i * space.memory;
  if (st == TRIAD_OK && triad_case_is(f->given, "initial.kind", "formula"))
    st = triad_agree(&f->context->comm, fill(f, &space, fields));
  else if (st == TRIAD_OK)
    st = triad_files_start(f->context, f->given, &space, triad_compressible_primitive_fields, TRIAD_COMPRESSIBLE_FIELDS,
                           fields, log);
  if (st == TRIAD_OK) st = triad_compressible_put(f->weno, (const triad_real *const *)fields);
  TRIAD_FREE(f->context->memory, &memory);
  return st;
}

static int from_shape(triad_gas_flow *f, triad_log *log)
{
  char text[512] = "";
  TRIAD_TRY(triad_compressible_initial(f->weno, f->given, text, sizeof text));
  if (text[0]) triad_log_info(log, "%s", text);
  return TRIAD_OK;
}

/* An outflow extrapolates the whole state, which is right only where the gas leaves faster than sound: warn if most of
 * it is slower. Layers along walls are always slow. Collective. */
static int check_outflow(const triad_gas_flow *f, int axis, int upper, const char *when, triad_log *log)
{
  const triad_partition *b = &f->blocks;
  const int64_t place = upper ? b->n[axis] - 1 - b->begin[axis] : -b->begin[axis];
  const int has = place >= 0 && place < b->local[axis], p = (axis + 1) % 3, q = (axis + 2) % 3;
  const double gamma = f->setup.gamma;
  int64_t points[2] = {0, 0}, all[2]; /* that are slower than sound, and in all */
  for (int64_t j = 0; has && j < b->local[q]; j++)
    for (int64_t i = 0; i < b->local[p]; i++) {
      int64_t x[3];
      x[axis] = place;
      x[p] = i;
      x[q] = j;
      const int64_t at = triad_partition_at(b, x[0], x[1], x[2]);
      const double rho = (double)f->weno->u[0][at], out = (upper ? 1 : -1) * (double)f->weno->u[1 + axis][at] / rho;
      double square = 0;
      for (int k = 1; k < 4; k++) square += (double)f->weno->u[k][at] * (double)f->weno->u[k][at] / rho;
      points[0] += !(out >= sqrt(gamma * (gamma - 1) * ((double)f->weno->u[4][at] - square / 2) / rho));
      points[1]++;
    }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(points, all, 2, MPI_INT64_T, MPI_SUM, f->context->comm.mpi)));
  if (2 * all[0] > all[1])
    triad_log_warning(log,
                      "boundaries.%c: the %s flow leaves at subsonic speed through %.3g %% of the %s end, an "
                      "\"outflow\", where the whole state is extrapolated",
                      "xyz"[axis], when, 100 * (double)all[0] / (double)all[1], upper ? "upper" : "lower");
  return TRIAD_OK;
}

int triad_gas_initial(void *flow, triad_log *log)
{
  triad_gas_flow *f = flow;
  if (triad_case_is(f->given, "initial.kind", "checkpoint")) return TRIAD_OK; /* at zero, to be read */
  const int at_points =
    triad_case_is(f->given, "initial.kind", "file") || triad_case_is(f->given, "initial.kind", "formula");
  TRIAD_TRY(at_points ? from_points(f, log) : from_shape(f, log));
  return TRIAD_OK;
}

int triad_gas_check_state(void *flow, const char *when, triad_log *log)
{
  triad_gas_flow *f = flow;
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->weno->state, TRIAD_HOST)));
  for (int side = 0; side < 6; side++)
    if (f->setup.side[side / 2][side % 2].kind == TRIAD_COMPRESSIBLE_OUTFLOW)
      TRIAD_TRY(check_outflow(f, side / 2, side % 2, when, log));
  return TRIAD_OK;
}
