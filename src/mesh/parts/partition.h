/* Partition of a mesh among ranks; no rank needs to hold the whole mesh. Each rank gets a slice of the cells
 * (slices.h), computes their owners, sends them there, and receives the cells of its neighbours that share a side with
 * its own. Parts come from planes (bisect.h), with the same result as for the whole mesh; with source.curve from equal
 * numbers of sides along Hilbert's curve; or, with source.partitioner, from a library that partitions the graph of
 * cells which share a side (parallel/graph.h). METIS needs the whole graph on rank 0; if it does not fit in the memory
 * that is free there, PT-Scotch is used if it is built in, else planes. All functions are collective
 * unless stated. */
#ifndef TRIAD_MESH_PARTS_PARTITION_H
#define TRIAD_MESH_PARTS_PARTITION_H

#include "mesh/parts/slices.h"

typedef struct triad_mesh_partition triad_mesh_partition;

/* Create this rank's part, *mesh: measured, with patches named and joined. *checksum is that of the whole mesh;
 * measured_s: seconds for measures and checksum. The caller destroys *partition and *mesh, also after an error. */
int triad_mesh_partition_create(triad_mesh_partition **partition, const triad_context *context,
                                const triad_mesh_source *source, triad_mesh **mesh, uint64_t *checksum,
                                double *measured_s);
void triad_mesh_partition_destroy(triad_mesh_partition **partition);

/* The library that assigned cells to ranks; NULL: none, by position. *needed: 0, or the bytes on rank 0 that METIS
 * needs and that are more than those available, so that PT-Scotch or planes took its place.
 * *available -1: it has the memory, but cannot number so many sides of cells. Not collective. */
const triad_graph_library *triad_mesh_partition_dealer(const triad_mesh_partition *partition, int64_t *needed,
                                                       int64_t *available);

/* Seconds that this rank needed to assign cells to ranks. Not collective. */
double triad_mesh_partition_seconds(const triad_mesh_partition *partition);

#endif
