/* Types of cells by their numbers in VTK, which SU2 uses too. */
#ifndef TRIAD_MESH_READ_VTK_VTK_TYPES_H
#define TRIAD_MESH_READ_VTK_VTK_TYPES_H

#include "mesh/read/draft.h"

/* kind: as in draft.h; -1: a point or another cell that is skipped. nodes: number of its points; 0: any number.
 * order: corner i here is its point order[i]. curved: of second order; the corners come first. */
typedef struct triad_mesh_vtk_type {
  int8_t type, kind, nodes, curved;
  int8_t order[TRIAD_MESH_CORNERS];
} triad_mesh_vtk_type;

/* NULL: the type is unknown or cannot be read. */
const triad_mesh_vtk_type *triad_mesh_vtk_type_of(int64_t type);

#endif
