/* Control of a force: the power that keeps a quantity of the flow constant, updated at intervals
 * (docs/methods/forcing.md). */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_CONTROL_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_CONTROL_H

#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/forcing.h"

/* control.c: what the case holds, of the columns of a flow. TRIAD_ERR_CASE for a column that there is not. */
int triad_force_control_set(triad_forcing *forcing, const triad_flow *flow);

/* Is the power due to follow what is held, after the step that has been taken? Then let it, with the columns of the
 * series as measured now. Not collective. */
int triad_forcing_looks(const triad_forcing *forcing, const triad_flow *flow);
void triad_forcing_control(triad_forcing *forcing, const triad_flow *flow, const double *columns);

#endif
