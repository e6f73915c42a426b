/* Own cells that have at least three points in common with a cell of another rank. */
#ifndef TRIAD_MESH_PARTS_PARTITION_SHARED_H
#define TRIAD_MESH_PARTS_PARTITION_SHARED_H

#include "mesh/parts/partition_internal.h"

int triad_mesh_partition_find_shared(triad_mesh_partition *partition);
/* Add n more, such as cells across periodic boundaries; duplicates are removed. Not collective. */
int triad_mesh_partition_share(triad_mesh_partition *partition, const triad_mesh_shared_cell *more, int64_t n);

#endif
