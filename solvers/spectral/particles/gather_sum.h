/* Interpolation at particles: sums over the points around each particle, times its weights. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_SUM_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_SUM_H

#include "solvers/spectral/particles/gather_internal.h"

/* gather_sum.c: particles of local planes begin .. end - 1; beyond[]: planes that are not this rank's, where those
 * are needed. */
void triad_gather_sum(const triad_gather *g, int64_t begin, int64_t end, const triad_real *const *beyond);

#endif
