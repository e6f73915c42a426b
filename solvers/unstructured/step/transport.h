/* One stage of flux-corrected transport. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_TRANSPORT_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_TRANSPORT_H

#include "solvers/unstructured/state/flow.h"

/* Compute fluxes from the current values; low: the low-order ones too. Collective. */
void triad_unstructured_find_fluxes(triad_unstructured_flow *flow, int low);

/* Advance values from the state over dt with these fluxes; last: the state too. Collective. */
void triad_unstructured_move(triad_unstructured_flow *flow, double dt, int last);

#endif
