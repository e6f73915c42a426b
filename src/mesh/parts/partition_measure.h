/* Areas, centres and volumes of a part of a mesh. Collective. */
#ifndef TRIAD_MESH_PARTS_PARTITION_MEASURE_H
#define TRIAD_MESH_PARTS_PARTITION_MEASURE_H

#include "mesh/parts/partition.h"
#include "mesh/parts/partition_internal.h"

/* Fill values[cell][n] of cells that other ranks own with their owners' values; n numbers per cell. */
int triad_mesh_partition_exchange(const triad_mesh_partition *partition, double *values, int n);

int triad_mesh_partition_measure(const triad_mesh_partition *partition, triad_faults *faults);

#endif
