/* Positions and extents of cells, for recursive bisection. */
#ifndef TRIAD_MESH_PARTS_BISECT_SPOTS_H
#define TRIAD_MESH_PARTS_BISECT_SPOTS_H

#include "mesh/parts/bisect.h"

/* spot_reach: set the extent from the cell's corners and the cost to its number of sides. spot_place: set the
 * position; box: low corner and side of the cube. */
void triad_mesh_spot_reach(triad_mesh_spot *spot, const triad_mesh *mesh, int64_t cell);
void triad_mesh_spot_place(triad_mesh_spot *spot, const double centre[3], const double box[4]);

/* triad_mesh_bisect for a whole measured mesh that every rank holds: not collective. */
int triad_mesh_bisect_whole(const triad_mesh *mesh, int parts, int32_t *part);

#endif
