/* One stage of flux-corrected transport. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_TRANSPORT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_TRANSPORT_H

#include "solvers/unstructured/state/flow.h"

/* Compute fluxes from the current values; low: the low-order ones too. Collective. */
void triad_unstructured_find_fluxes(triad_unstructured_flow *flow, int low);

/* Charge the time since flow->charged to a phase (state/phases.h). A GPU does so only if phases are timed separately
 * (triad bench). Not collective. */
void triad_unstructured_charge(triad_unstructured_flow *flow, int phase);

/* Advance values from the state over dt with these fluxes; last: the state too. Collective. */
void triad_unstructured_move(triad_unstructured_flow *flow, double dt, int last);

#endif
