/* The space of an unstructured mesh: a 1-D dataset with one entry per cell in the mesh's own order, independent of the
 * numbering and partition of a run. Local entries have the numbers of the rank's cells. Positions are known to the
 * owner only. */
#ifndef TRIAD_GRID_MESH_SPACE_H
#define TRIAD_GRID_MESH_SPACE_H

#include "grid/space.h"

/* Numbers of cells: of all ranks, of this one, and entries of a field's memory, in which cell i has index i and ghosts
 * follow the own cells. The owner of the struct keeps it as long as the space exists. */
typedef struct triad_mesh_entries {
  int64_t all, here, memory;
  const int32_t *global; /* [here] numbers in the mesh's own order */
} triad_mesh_entries;

/* *entries must outlive the space. */
void triad_space_mesh(triad_space *space, const triad_mesh_entries *entries);

#endif
