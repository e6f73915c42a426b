/* Values of fields at all particles of this rank, and the velocity of the fluid there. Collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_GATHER_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_GATHER_H

#include "solvers/spectral/particles/particles_internal.h"

/* Sums of one field each: derivative `along` (-1: itself) of fields from[n]. */
triad_gather_want triad_gather_fields(int n, const triad_cplx *const *from, int along);

/* For all groups, as triad_gather_run; between steps. Collective. */
int triad_particles_gather(triad_particles *p, const triad_gather_want *want, int offset, double *const *out);

/* On the CPU: the same without the first of the ways, which are undivided groups, then splines of orders 4 and 6. Is
 * there a group of a way (0, 4, 6)? The fields of the velocity. */
int triad_particles_gather_from(triad_particles *p, const triad_gather_want *want, int first, int offset,
                                double *const *out);
int triad_particles_has(const triad_particles *p, int way);
const triad_cplx *const *triad_particles_fluid(const triad_flow *flow);

/* The fluid's velocity at all particles, to their records; in a superfluid psi too. Between steps. Collective. */
int triad_particles_velocity(triad_particles *p);

/* All groups to their owners, sorted; from a GPU their records too. Collective. */
int triad_particles_sort(triad_particles *p);

#endif
