/* The same along Hilbert's curve; cell centres and their cube must be known. */
#ifndef TRIAD_MESH_PARTS_PARTITION_CURVE_H
#define TRIAD_MESH_PARTS_PARTITION_CURVE_H

#include "mesh/parts/partition_internal.h"

int triad_mesh_partition_assign_along_curve(triad_mesh_partition *partition, int32_t *rank_of);

#endif
