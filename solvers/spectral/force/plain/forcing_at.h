/* Evaluate the force of a flow at a given time, for the stages of a step. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCING_AT_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_FORCING_AT_H

#include "solvers/spectral/force/forcing.h"

/* Formulas and files: set the time of the next stage; first: it is the first one. TRIAD_ERR_CASE, on all ranks, if a
 * time factor is not finite then. */
int triad_forcing_at(triad_forcing *forcing, const triad_flow *flow, double t, int first);

#endif
