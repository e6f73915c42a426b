/* The mean velocity of a flow, equations.mean_velocity, which steps do not change. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_MEAN_H
#define TRIAD_SOLVERS_SPECTRAL_START_MEAN_H

#include "solvers/spectral/flow.h"

/* Set it, on the host's copy of the state. Does nothing for sets without a velocity. Not collective. */
void triad_initial_mean(triad_flow *flow);

#endif
