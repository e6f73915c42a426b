/* The graph of cells that share a side, weighted by their number of sides. The caller frees it, also after an error. */
#ifndef TRIAD_MESH_PARTS_PARTITION_GRAPH_H
#define TRIAD_MESH_PARTS_PARTITION_GRAPH_H

#include "mesh/parts/partition_internal.h"

int triad_mesh_partition_graph(const triad_mesh_partition *partition, triad_graph *graph);

#endif
