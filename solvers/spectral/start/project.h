/* Make a velocity field solenoidal. Only fields from files or formulas need this, since the equations keep the
 * divergence zero. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_PROJECT_H
#define TRIAD_SOLVERS_SPECTRAL_START_PROJECT_H

#include "solvers/spectral/flow.h"

/* u <- u - k (k.u)/k^2 for the components of a vector, and the mean mode to zero. Returns the energies of what is kept,
 * of the compressive part and of the mean flow. Collective. */
int triad_project(triad_flow *flow, const triad_field_group *vector, double *kept, double *compressive, double *mean);

/* All solenoidal vectors of the flow: modes that were rounded to another precision have a divergence of its size.
 * Collective. */
int triad_project_all(triad_flow *flow);

#endif
