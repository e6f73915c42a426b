/* Random initial fields of every fluid set, by the keys of the case. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_RANDOM_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_RANDOM_H

#include "solvers/spectral/flow.h"

/* u of energy `energy`, which overwrites u, v, w; with `magnetic` not 0 b of initial.magnetic_energy and the helicities
 * asked for as well. Collective. */
int triad_initial_random(triad_flow *flow, double energy, int magnetic);

/* theta of initial.potential_energy, or each passive scalar of initial.scalar_variance. Collective. */
int triad_initial_random_scalars(triad_flow *flow);

#endif
