/* A stage (docs/methods/fct.md eq. 55 to 59): low-order transport of the state, then the part of the antidiffusive
 * fluxes that the bounds of density and pressure allow. Cells that other ranks read are computed first, and all other
 * cells while messages are communicated. */
#include "solvers/unstructured/step/transport.h"
#include "solvers/unstructured/state/flow.h"

/* ---- fluxes of the values as they are ---- */

void triad_unstructured_find_fluxes(triad_unstructured_flow *f, int low)
{
  const triad_unstructured_loops *on = f->loops;
  if (f->gradients) {
    on->gradients(f, TRIAD_UNSTRUCTURED_LATE);
    on->begin(f, f->wide ? &f->view.slope : &f->view.gradient, TRIAD_UNSTRUCTURED_GRADIENT);
    on->gradients(f, TRIAD_UNSTRUCTURED_EARLY);
  }
  if (f->wide) {
    on->end(f);
    on->widen(f, TRIAD_UNSTRUCTURED_LATE);
    on->begin(f, &f->view.gradient, TRIAD_UNSTRUCTURED_GRADIENT);
    on->widen(f, TRIAD_UNSTRUCTURED_EARLY);
  }
  on->fluxes(f, TRIAD_UNSTRUCTURED_OWN_FACES, low);
  on->fluxes(f, TRIAD_UNSTRUCTURED_OUTER_FACES, low);
  if (f->gradients) on->end(f);
  on->fluxes(f, TRIAD_UNSTRUCTURED_GHOST_FACES, low);
  if (f->setup.viscosity > 0) on->viscous(f, low);
}

/* ---- from the state over dt ---- */

static void exchange(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  f->loops->begin(f, numbers, n);
  f->loops->end(f);
}

static void limit_components(triad_unstructured_flow *f, double dt)
{
  f->loops->component_bounds(f);
  exchange(f, &f->view.bound, TRIAD_UNSTRUCTURED_COMPONENTS);
  f->loops->component_parts(f, dt);
  exchange(f, &f->view.limit, TRIAD_UNSTRUCTURED_COMPONENTS);
  f->loops->component_limits(f);
}

/* From here on current values are those at the end of the stage, including ghosts and entries beyond faces. */
static void correct(triad_unstructured_flow *f, double dt, int last)
{
  const triad_unstructured_loops *on = f->loops;
  on->corrected(f, TRIAD_UNSTRUCTURED_LATE, dt, last);
  on->begin(f, &f->view.value, TRIAD_UNSTRUCTURED_VALUES);
  on->corrected(f, TRIAD_UNSTRUCTURED_EARLY, dt, last);
  on->end(f);
  on->beyond(f);
}

void triad_unstructured_move(triad_unstructured_flow *f, double dt, int last)
{
  const triad_unstructured_loops *on = f->loops;
  on->transported(f, TRIAD_UNSTRUCTURED_LATE, dt);
  if (f->view.bounded) on->begin(f, &f->view.bound, TRIAD_UNSTRUCTURED_BOUNDS);
  on->transported(f, TRIAD_UNSTRUCTURED_EARLY, dt);
  if (f->view.bounded) on->end(f);
  if (triad_unstructured_prelimits(&f->setup)) {
    exchange(f, &f->view.td, TRIAD_UNSTRUCTURED_FIELDS);
    on->prelimit(f);
  }
  if (triad_unstructured_by_components(&f->setup)) limit_components(f, dt);
  if (f->view.bounded) {
    on->limits(f, TRIAD_UNSTRUCTURED_LATE, dt, last);
    on->begin(f, &f->view.limit, TRIAD_UNSTRUCTURED_LIMITS);
    on->limits(f, TRIAD_UNSTRUCTURED_EARLY, dt, last);
    on->end(f);
    on->ghost_parts(f, dt);
    if (on->joined) on->joined(f, dt, last);
  }
  if (last) on->crossed(f, dt);
  correct(f, dt, last);
}
