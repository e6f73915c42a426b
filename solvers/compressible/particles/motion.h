/* Stages of particles, the end of a step, and the ranks that own them. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_MOTION_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_MOTION_H

#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/particles.h"

/* The records of a group on the host, for motion_points.h; of others with the same numbers of the group. */
triad_gas_members triad_gas_members_of(const triad_gas_group *g);

/* All particles of a group from where they are known to their owners, in the place of what was there; to the GPU,
 * where steps are taken there. Collective. */
int triad_gas_group_take(triad_gas_particles *p, triad_gas_group *g, triad_group_source *source, void *self);

/* Room for n records; those that are there stay, vectors do not. TRIAD_ERR_MEMORY. Not collective. */
int triad_gas_group_fit(const triad_gas_particles *p, triad_gas_group *g, int64_t n);

/* TRIAD_ERR_CASE where a group has lost one. Not collective. */
int triad_gas_tell_lost(const triad_gas_particles *p);

/* The longest step: 0.9 of a point's width for the fastest, and cfl times twice the shortest response time; the same
 * on all ranks. INFINITY without any. Collective. */
int triad_gas_particles_longest(triad_gas_particles *particles, double cfl, double *dt);

#endif
