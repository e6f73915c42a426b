/* Cells dealt by planes: recursive coordinate bisection (Berger & Bokhari 1987, IEEE Trans. Comput. C-36, 570). All
 * cells are parted by a plane across x, y or z, and both sides again, until there are as many parts as are wanted,
 * of any number: of n parts n/2, rounded down, lie below. Each part gets as much of the cost, to three cells at
 * most. Of the three planes that do so the one is taken that cuts the fewest cells, as faces between the parts are
 * about as many: where cells are long, or all of them are small in one place, planes lie otherwise than across the
 * longest side. */
#ifndef TRIAD_MESH_PARTS_BISECT_H
#define TRIAD_MESH_PARTS_BISECT_H

#include "parallel/comm.h"
#include "mesh/mesh.h"

enum { TRIAD_MESH_SPOT_BITS = 30 };

/* Where a cell is: its middle, as multiples of 2^-TRIAD_MESH_SPOT_BITS of the box round all middles, a cube; how far
 * it reaches to either side of that along each axis, as many of these; and what it costs. */
typedef struct triad_mesh_spot {
  int32_t at[3], cost;
  float half[3];
} triad_mesh_spot;

/* The spot of a cell, its cost the number of its sides: how far it reaches, from its corners; where it is, by box:
 * low corner and side. */
void triad_mesh_spot_reach(triad_mesh_spot *spot, const triad_mesh *mesh, int64_t cell);
void triad_mesh_spot_place(triad_mesh_spot *spot, const double centre[3], const double box[4]);

/* Which part of `parts` each of this rank's cells is in: part[n]; their numbers in the whole are first, first + 1,
 * .., no rank has another's, and all are below 2^31. The same whoever has which cells: of cells in a plane those of
 * lower coordinates come first, x, y, z by turns, at last those of lower numbers. TRIAD_ERR_MEMORY on all ranks.
 * Collective. */
int triad_mesh_bisect(const triad_comm *comm, triad_memory *memory, const triad_mesh_spot *spot, int64_t first,
                      int64_t n, int parts, int32_t *part);

/* The same of a whole measured mesh, which every rank has: not collective. */
int triad_mesh_bisect_whole(const triad_mesh *mesh, int parts, int32_t *part);

#endif
