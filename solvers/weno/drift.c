/* How far mass, momentum and energy have drifted since a run began: columns of the series beside the solver's own. What they
 * started from goes through checkpoints, as notes. */
#include "solvers/weno/budget_points.h"
#include "solvers/weno/flow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of what a run started from, in the order of triad_gas_flow.start. */
static const int kept[TRIAD_GAS_KEPT] = {TRIAD_WENO_MASS, TRIAD_WENO_MOMENTUM, TRIAD_WENO_MOMENTUM + 1,
                                         TRIAD_WENO_MOMENTUM + 2, TRIAD_WENO_ENERGY};

int triad_gas_measure(void *flow, double *values)
{
  triad_gas_flow *f = flow;
  TRIAD_TRY(triad_weno_budget(f->weno, values));
  double now[TRIAD_GAS_KEPT], moved = 0, *drift = values + f->n_columns - TRIAD_WENO_DRIFTS;
  for (int i = 0; i < TRIAD_GAS_KEPT; i++) now[i] = values[kept[i]];
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
    (void)snprintf(name, sizeof name, "start_%s", f->columns[kept[i]].name);
    TRIAD_TRY(triad_notes_set_real(to, name, f->start[i]));
  }
  return TRIAD_OK;
}

void triad_gas_take_start(triad_gas_flow *f, const triad_notes *notes)
{
  char name[64];
  f->has_start = notes != NULL;
  for (int i = 0; f->has_start && i < TRIAD_GAS_KEPT; i++) {
    (void)snprintf(name, sizeof name, "start_%s", f->columns[kept[i]].name);
    f->has_start = triad_notes_has(notes, name) && triad_notes_real(notes, name, &f->start[i]) == TRIAD_OK;
  }
}
