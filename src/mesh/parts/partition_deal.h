/* The owner of each cell of the slice, by position. */
#ifndef TRIAD_MESH_PARTS_PARTITION_DEAL_H
#define TRIAD_MESH_PARTS_PARTITION_DEAL_H

#include "mesh/parts/partition_internal.h"

int triad_mesh_partition_assign(triad_mesh_partition *partition, int32_t *rank_of);

#endif
