/* A stage (docs/methods/fct.md eq. 55 to 59): low-order transport of the state, then the part of the antidiffusive
 * fluxes that the bounds of density and pressure allow. Cells that other ranks read are computed first, and all other
 * cells while messages are communicated. */
#include "solvers/unstructured/step/transport.h"
#include "solvers/unstructured/state/flow.h"

/* A failure of the GPU is found by the next settle. */
void triad_unstructured_charge(triad_unstructured_flow *f, int phase)
{
  if (f->device && !f->apart) return;
  if (f->device) (void)triad_device_wait(f->device);
  triad_phases_charge(&f->phases, phase, &f->charged);
}

/* ---- fluxes of the values as they are ---- */

static void begin(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  f->loops->begin(f, numbers, n);
  triad_unstructured_charge(f, TRIAD_PHASE_EXCHANGE);
}

static void end(triad_unstructured_flow *f)
{
  f->loops->end(f);
  triad_unstructured_charge(f, TRIAD_PHASE_EXCHANGE);
}

void triad_unstructured_find_fluxes(triad_unstructured_flow *f, int low)
{
  const triad_unstructured_loops *on = f->loops;
  const int phase = low ? TRIAD_UNSTRUCTURED_PHASE_BOTH : TRIAD_UNSTRUCTURED_PHASE_HIGH;
  if (f->gradients) {
    on->gradients(f, TRIAD_UNSTRUCTURED_LATE);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_GRADIENTS);
    begin(f, f->wide ? &f->view.slope : &f->view.gradient, TRIAD_UNSTRUCTURED_GRADIENT);
    on->gradients(f, TRIAD_UNSTRUCTURED_EARLY);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_GRADIENTS);
  }
  if (f->wide) {
    end(f);
    on->widen(f, TRIAD_UNSTRUCTURED_LATE);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_GRADIENTS);
    begin(f, &f->view.gradient, TRIAD_UNSTRUCTURED_GRADIENT);
    on->widen(f, TRIAD_UNSTRUCTURED_EARLY);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_GRADIENTS);
  }
  on->fluxes(f, TRIAD_UNSTRUCTURED_OWN_FACES, low);
  on->fluxes(f, TRIAD_UNSTRUCTURED_OUTER_FACES, low);
  triad_unstructured_charge(f, phase);
  if (f->gradients) end(f);
  on->fluxes(f, TRIAD_UNSTRUCTURED_GHOST_FACES, low);
  triad_unstructured_charge(f, phase);
  if (f->setup.viscosity > 0) on->viscous(f, low);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_VISCOUS);
}

/* ---- from the state over dt ---- */

static void exchange(triad_unstructured_flow *f, const triad_unstructured_numbers *numbers, int n)
{
  begin(f, numbers, n);
  end(f);
}

static void limit_components(triad_unstructured_flow *f, double dt)
{
  f->loops->component_bounds(f);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
  exchange(f, &f->view.bound, TRIAD_UNSTRUCTURED_COMPONENTS);
  f->loops->component_parts(f, dt);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
  exchange(f, &f->view.limit, TRIAD_UNSTRUCTURED_COMPONENTS);
  f->loops->component_limits(f);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
}

/* From here on current values are those at the end of the stage, including ghosts and entries beyond faces. */
static void correct(triad_unstructured_flow *f, double dt, int last)
{
  const triad_unstructured_loops *on = f->loops;
  on->corrected(f, TRIAD_UNSTRUCTURED_LATE, dt, last);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_CORRECTION);
  begin(f, &f->view.value, TRIAD_UNSTRUCTURED_VALUES);
  on->corrected(f, TRIAD_UNSTRUCTURED_EARLY, dt, last);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_CORRECTION);
  end(f);
  on->beyond(f);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_BOUNDARIES);
}

void triad_unstructured_move(triad_unstructured_flow *f, double dt, int last)
{
  const triad_unstructured_loops *on = f->loops;
  on->transported(f, TRIAD_UNSTRUCTURED_LATE, dt);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_TRANSPORT);
  if (f->view.bounded) begin(f, &f->view.bound, TRIAD_UNSTRUCTURED_BOUNDS);
  on->transported(f, TRIAD_UNSTRUCTURED_EARLY, dt);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_TRANSPORT);
  if (f->view.bounded) end(f);
  if (triad_unstructured_prelimits(&f->setup)) {
    exchange(f, &f->view.td, TRIAD_UNSTRUCTURED_FIELDS);
    on->prelimit(f);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
  }
  if (triad_unstructured_by_components(&f->setup)) limit_components(f, dt);
  if (f->view.bounded) {
    on->limits(f, TRIAD_UNSTRUCTURED_LATE, dt, last);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
    begin(f, &f->view.limit, TRIAD_UNSTRUCTURED_LIMITS);
    on->limits(f, TRIAD_UNSTRUCTURED_EARLY, dt, last);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
    end(f);
    on->ghost_parts(f, dt);
    if (on->joined) on->joined(f, dt, last);
    triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_LIMITS);
  }
  if (last) on->crossed(f, dt);
  triad_unstructured_charge(f, TRIAD_UNSTRUCTURED_PHASE_BOUNDARIES);
  correct(f, dt, last);
}
