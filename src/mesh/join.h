/* The faces of a mesh, from the sides of its cells. */
#ifndef TRIAD_MESH_JOIN_H
#define TRIAD_MESH_JOIN_H

#include "mesh/mesh.h"

/* The key by which equal sides are found: the lowest point numbers of the n points, rising, padded with -1. */
void triad_mesh_side_key(const int32_t *points, int n, int32_t key[TRIAD_MESH_SIDE_POINTS]);

/* Make one face of each pair of sides with the same points. A quadrilateral side also matches two triangles that split
 * it along either diagonal, and becomes two faces. TRIAD_ERR_CASE if more than two cells share a side, if two cells
 * lie on the same side of it, if a side has a point twice, or if a cell has more than TRIAD_MESH_MAX_SIDES sides. */
int triad_mesh_join(triad_mesh *mesh);

/* The same, but these errors become faults: for each kind the number of sides and the first one; such sides get no
 * face. TRIAD_ERR_CASE only for a cell with too many sides. */
int triad_mesh_join_with_faults(triad_mesh *mesh, triad_faults *faults);

#endif
