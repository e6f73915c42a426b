/* How far mass, momentum and energy have drifted since a run began: columns of the series beside the solver's own. What they
 * started from goes through checkpoints, as notes. */
#include "solvers/weno/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const triad_column_info drifts[TRIAD_GAS_DRIFTS] = {
    {"mass_drift", "1", "mass over that at the start, less 1; boundaries may let some through"},
    {"momentum_drift", "M U/L^3", "|momentum less that at the start|"},
    {"energy_drift", "1", "energy over that at the start, less 1"},
};

/* In the order of triad_gas_flow.start. */
static const char *const kept[TRIAD_GAS_KEPT] = {"mass", "momentum_x", "momentum_y", "momentum_z", "energy"};

int triad_gas_columns_make(triad_gas_flow *f)
{
  const triad_weno_column *from = triad_weno_columns(&f->n_columns);
  int own = f->n_columns;
  f->n_columns += TRIAD_GAS_DRIFTS;
  f->columns = calloc((size_t)f->n_columns, sizeof *f->columns);
  if (!f->columns) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d columns", f->n_columns);
  for (int i = 0; i < own; i++) f->columns[i] = (triad_column_info){from[i].name, from[i].unit, from[i].about};
  for (int i = 0; i < TRIAD_GAS_DRIFTS; i++) f->columns[own + i] = drifts[i];
  return TRIAD_OK;
}

static double value_of(const triad_gas_flow *f, const double *values, const char *name)
{
  int i = 0;
  while (i < f->n_columns && strcmp(f->columns[i].name, name) != 0) i++;
  return i < f->n_columns ? values[i] : NAN;
}

int triad_gas_measure(void *flow, double *values)
{
  triad_gas_flow *f = flow;
  TRIAD_TRY(triad_weno_budget(f->weno, values));
  double now[TRIAD_GAS_KEPT], moved = 0, *drift = values + f->n_columns - TRIAD_GAS_DRIFTS;
  for (int i = 0; i < TRIAD_GAS_KEPT; i++) now[i] = value_of(f, values, kept[i]);
  if (!f->has_start) memcpy(f->start, now, sizeof now);
  f->has_start = 1;
  for (int i = 1; i < 4; i++) moved += (now[i] - f->start[i]) * (now[i] - f->start[i]);
  drift[0] = now[0] / f->start[0] - 1;
  drift[1] = sqrt(moved);
  drift[2] = now[4] / f->start[4] - 1;
  return TRIAD_OK;
}

int triad_gas_keep_start(const void *flow, triad_notes *to)
{
  const triad_gas_flow *f = flow;
  char name[64];
  for (int i = 0; f->has_start && i < TRIAD_GAS_KEPT; i++) {
    (void)snprintf(name, sizeof name, "start_%s", kept[i]);
    TRIAD_TRY(triad_notes_set_real(to, name, f->start[i]));
  }
  return TRIAD_OK;
}

void triad_gas_take_start(triad_gas_flow *f, const triad_notes *notes)
{
  char name[64];
  f->has_start = notes != NULL;
  for (int i = 0; f->has_start && i < TRIAD_GAS_KEPT; i++) {
    (void)snprintf(name, sizeof name, "start_%s", kept[i]);
    f->has_start = triad_notes_has(notes, name) && triad_notes_real(notes, name, &f->start[i]) == TRIAD_OK;
  }
}
