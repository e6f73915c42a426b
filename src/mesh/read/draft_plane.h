/* Extrude a plane mesh by one layer of cells. */
#ifndef TRIAD_MESH_READ_DRAFT_PLANE_H
#define TRIAD_MESH_READ_DRAFT_PLANE_H

#include "mesh/read/draft.h"

/* Make prisms of triangles and hexahedra of quadrilaterals of a draft without cells. Its elements must be in a plane
 * of constant x, y or z; the layer extends along that axis, by the mean length of all edges. Lines become sides with
 * their groups; the two planes become the patches `back`, in the plane of the file, and `front`. */
int triad_mesh_draft_extrude(triad_mesh_draft *draft);

#endif
