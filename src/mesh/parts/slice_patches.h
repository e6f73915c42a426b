/* The patches of a part of a mesh. Collective. */
#ifndef TRIAD_MESH_PARTS_SLICE_PATCHES_H
#define TRIAD_MESH_PARTS_SLICE_PATCHES_H

#include "mesh/parts/slices.h"

/* Add the patches to a part and set those of its own outer faces. Faults are those of triad_mesh_file_read, for this
 * rank's part. Collective. */
int triad_mesh_slices_patches(const triad_mesh_slices *slices, triad_mesh *part, triad_faults *faults);

#endif
