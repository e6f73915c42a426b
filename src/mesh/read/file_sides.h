/* Sides that a file assigns to patches: sort them, and find the patch of a side. */
#ifndef TRIAD_MESH_READ_FILE_SIDES_H
#define TRIAD_MESH_READ_FILE_SIDES_H

#include "mesh/read/meshfile.h"

/* sides_sort: sort sides by their points in rising order. side_patch: the patch of an outer face by its points (of
 * more than four, the lowest four); -1: none. faces: the face is counted for each patch that has this side. */
void triad_mesh_sides_sort(triad_mesh_file_side *side, int64_t n);
int32_t triad_mesh_side_patch(const triad_mesh_file_side *side, int64_t n, const triad_mesh *mesh, int64_t face,
                              int64_t faces[TRIAD_MESH_PATCHES]);

/* Sort the sides of a file. Returns the number of sides in two patches, and the index of the second of the first
 * two. */
int64_t triad_mesh_sides_twice(triad_mesh_contents *contents, int64_t *first);

/* Sort the sides that a file lists; a side in two patches is a fault. */
void triad_mesh_sides_of_file(triad_mesh_contents *contents, triad_faults *faults);

#endif
