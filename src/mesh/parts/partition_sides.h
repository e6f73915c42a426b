/* Pairs of cells of the slices that share a side. Each pair occurs at least once, on any rank. The caller frees the
 * list, also after an error. */
#ifndef TRIAD_MESH_PARTS_PARTITION_SIDES_H
#define TRIAD_MESH_PARTS_PARTITION_SIDES_H

#include "mesh/parts/partition_internal.h"

typedef struct triad_mesh_cell_pair {
  int32_t cell[2]; /* global numbers */
} triad_mesh_cell_pair;
int triad_mesh_partition_pairs(const triad_mesh_partition *partition, triad_mesh_cell_pair **pair, int64_t *n);

#endif
