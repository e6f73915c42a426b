/* Planes of points from a pass, stored while particles need them and sent to the ranks that need them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_PLANES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_PLANES_H

#include "solvers/spectral/particles/gather_internal.h"

/* gather_planes.c: planes beyond this rank's own, at[order - 1]: first those below, then those above. Collective. */
int triad_gather_fetch(const triad_gather *g, const triad_real **at);

#endif
