/* Skip patches of a file whose faces lie between cells, and count them. */
#ifndef TRIAD_MESH_READ_INNER_PATCHES_H
#define TRIAD_MESH_READ_INNER_PATCHES_H

#include "mesh/read/meshfile.h"

/* inner_patches.c: record the patches that have faces between cells in mesh->inside, with the number of such faces. A
 * patch with only such faces is no boundary: it is removed from the mesh and from `outer`, the numbers
 * of outer faces. */
void triad_mesh_skip_inner(triad_mesh *mesh, int64_t outer[TRIAD_MESH_PATCHES],
                           const int64_t inner[TRIAD_MESH_PATCHES]);

#endif
