/* Points of a mesh in slices, wherever they are. */
#ifndef TRIAD_MESH_PARTS_SLICE_POINTS_H
#define TRIAD_MESH_PARTS_SLICE_POINTS_H

#include "mesh/parts/slices.h"

/* The rank whose share of n items includes this one. */
int triad_mesh_share_owner(int64_t n, int64_t thing, int size);

/* Get the positions x[n] of points by their global numbers, which must rise. Collective. */
int triad_mesh_slices_points(const triad_mesh_slices *slices, const int32_t *number, int64_t n, double (*x)[3]);

#endif
