/* The plan of a partition's halos: halo points are filled with the values of the blocks that own them. */
#ifndef TRIAD_GRID_HALO_PLAN_H
#define TRIAD_GRID_HALO_PLAN_H

#include "grid/exchange_plan.h"
#include "grid/partition.h"

/* Which neighbours: those across a face only, across edges too, across corners too. A stencil of points along the axes
 * needs faces; mixed second derivatives need edges. */
typedef enum triad_halo_reach { TRIAD_HALO_FACES = 1, TRIAD_HALO_EDGES = 2, TRIAD_HALO_CORNERS = 3 } triad_halo_reach;

/* For halos of `width` points, at most the blocks' own (smaller: the outer points of the halo are left alone). Halo
 * points beyond a boundary that is not periodic are in no run; a periodic axis that is not divided closes by copies. In
 * order, not closed. TRIAD_ERR_MEMORY; TRIAD_ERR_INTERNAL for a width that the blocks do not have. Not collective. */
int triad_halo_plan_create(triad_exchange_plan **out, const triad_partition *blocks, int64_t width,
                           triad_halo_reach reach);

/* Numbers of a field that this rank sends by such a plan, and receives: as many. Not collective. */
int64_t triad_halo_plan_points(const triad_partition *blocks, int64_t width, triad_halo_reach reach);

#endif
