/* Create the exchange plan of the halos of zones. Collective. */
#ifndef TRIAD_GRID_ZONES_PLAN_H
#define TRIAD_GRID_ZONES_PLAN_H

#include "grid/zones.h"

/* Create the plan that fills the halos of this rank's parts: both layers beyond faces that are joined or cut; with
 * `edges` also the first layer beyond two faces. Such an edge may come from another part's halo beyond a boundary,
 * which must be set first. Edges that nothing fills are listed in `left` (malloc'd, *n_left entries) as indices {edge,
 * halo beyond one face, halo beyond the other face, own cell}, so that edge = one + other - own is a linear
 * extrapolation. Collective; TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. */
int triad_zones_plan(triad_exchange_plan **out, const triad_zones *zones, const triad_comm *comm, int edges,
                     int64_t (**left)[4], int64_t *n_left);

#endif
