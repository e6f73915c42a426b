/* The space of an unstructured mesh: a 1-D dataset with an entry for each cell, in the mesh's own order, whatever
 * numbering and partition a run has; here entries are numbered as the rank's cells are. Where they are the owner
 * knows. */
#ifndef TRIAD_GRID_MESH_SPACE_H
#define TRIAD_GRID_MESH_SPACE_H

#include "grid/space.h"

/* Cells of all ranks, and of this one: number i lies at place i of a field's memory, which has room for `memory`,
 * ghosts behind the others. The owner's; they outlive the space. */
typedef struct triad_mesh_entries {
  int64_t all, here, memory;
  const int32_t *global; /* [here] numbers in the mesh's own order */
} triad_mesh_entries;

/* *entries must outlive the space. */
void triad_space_mesh(triad_space *space, const triad_mesh_entries *entries);

#endif
