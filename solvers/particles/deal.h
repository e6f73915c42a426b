/* Send rows of particles to given ranks, and sort them by number across ranks. */
#ifndef TRIAD_SOLVERS_PARTICLES_DEAL_H
#define TRIAD_SOLVERS_PARTICLES_DEAL_H

#include "solvers/particles/group.h"

/* All particles of a group to their owners, of each rank's share of numbers TRIAD_ROWS_AT_ONCE at a time.
 * Collective. */
int triad_group_deal(const triad_group *group, const triad_comm *comm, triad_group_source *source, void *from,
                     const triad_group_keeper *keeper);

#endif
