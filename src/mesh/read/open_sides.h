/* Reasons why outer faces of a mesh have no patch, for messages. */
#ifndef TRIAD_MESH_READ_OPEN_SIDES_H
#define TRIAD_MESH_READ_OPEN_SIDES_H

#include "mesh/read/meshfile.h"

/* open_sides.c: add faults for outer faces without a patch: sides with smaller sides on them (hanging nodes); sides
 * that coincide but have nodes of their own; other sides, which may be a consequence of cells or sides left out.
 * TRIAD_ERR_MEMORY. */
int triad_mesh_note_open(const triad_mesh *mesh, int left_out, triad_faults *faults);

/* The same for a file that lists no boundary: only hanging nodes and faces that coincide are faults. */
int triad_mesh_note_split(const triad_mesh *mesh, triad_faults *faults);

#endif
