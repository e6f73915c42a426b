/* Partition of cells by planes: recursive coordinate bisection (Berger & Bokhari 1987, IEEE Trans. Comput. C-36, 570).
 * A plane across x, y or z divides all cells, then both halves again, until there are `parts` parts. The number of
 * parts is arbitrary: of n parts, n/2 rounded down lie below the plane. All parts have the same cost, to within three
 * cells. Of the three possible planes the one that cuts the fewest cells is used, because the number of faces between
 * parts is similar. Where cells are long, or small ones are concentrated, this plane may differ from the one across
 * the longest side. */
#ifndef TRIAD_MESH_PARTS_BISECT_H
#define TRIAD_MESH_PARTS_BISECT_H

#include "parallel/comm.h"
#include "mesh/mesh.h"

enum { TRIAD_MESH_SPOT_BITS = 30 };

/* The position, size and cost of a cell. at: its centre, in units of 2^-TRIAD_MESH_SPOT_BITS of the cube around all
 * centres; half: its extent to either side along each axis, in the same units. */
typedef struct triad_mesh_spot {
  int32_t at[3], cost;
  float half[3];
} triad_mesh_spot;

/* Assign each of this rank's n cells to one of `parts` parts: part[n]. Their global numbers are first, first + 1, ..
 * and below 2^31; no two ranks hold the same cell. The result does not depend on how cells are distributed: cells in a
 * plane are ordered by x, y and z alternately, then by number. TRIAD_ERR_MEMORY on all ranks. Collective. */
int triad_mesh_bisect(const triad_comm *comm, triad_memory *memory, const triad_mesh_spot *spot, int64_t first,
                      int64_t n, int parts, int32_t *part);

#endif
