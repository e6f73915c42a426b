/* The whole mesh on rank 0, for files. Collective. */
#ifndef TRIAD_MESH_PARTS_PARTITION_GATHER_H
#define TRIAD_MESH_PARTS_PARTITION_GATHER_H

#include "mesh/parts/partition.h"

/* Gather the whole mesh on rank 0 (NULL on other ranks): cells and points, no faces. */
int triad_mesh_partition_gather(triad_mesh **whole, const triad_mesh_partition *partition, const triad_mesh *part);

#endif
