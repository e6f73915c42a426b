/* Cells, points, faces and patches of the part, and their faults; count: [2 ranks]. */
#ifndef TRIAD_MESH_PARTS_PARTITION_FILL_H
#define TRIAD_MESH_PARTS_PARTITION_FILL_H

#include "mesh/parts/partition_internal.h"

int triad_mesh_partition_fill(triad_mesh_partition *partition, int64_t *count, triad_faults *faults);

#endif
