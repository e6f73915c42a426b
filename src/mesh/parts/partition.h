/* A mesh cut into the parts of ranks, none of which holds the whole: each gets a slice of its cells (slices.h),
 * finds whose they are, sends them to their owners, and gets the cells of others that share a side with its own.
 * Parts are those that planes make of it (bisect.h), the same as of the whole mesh; with source.curve those along
 * Hilbert's curve where equally many sides lie between; or, with source.partitioner, those that a library makes of
 * the graph of cells that share a side (parallel/graph.h), of which METIS has the whole on rank 0. Collective, as
 * all here. */
#ifndef TRIAD_MESH_PARTS_PARTITION_H
#define TRIAD_MESH_PARTS_PARTITION_H

#include "mesh/parts/slices.h"

typedef struct triad_mesh_partition triad_mesh_partition;

/* *mesh: this rank's part, measured, with patches named and joined. measured_s: seconds of what measures it and
 * finds the checksum of the whole. What has been made is to be destroyed, also where it fails. */
int triad_mesh_partition_create(triad_mesh_partition **partition, const triad_context *context,
                                const triad_mesh_source *source, triad_mesh **mesh, uint64_t *checksum,
                                double *measured_s);
void triad_mesh_partition_destroy(triad_mesh_partition **partition);

/* Seconds that this rank took to find whose each cell is. Not collective. */
double triad_mesh_partition_seconds(const triad_mesh_partition *partition);

/* n numbers of each cell of the part, values[cell][n]: those of cells of other ranks as their owners have them. */
int triad_mesh_partition_exchange(const triad_mesh_partition *partition, double *values, int n);

/* The whole mesh on rank 0, NULL elsewhere: cells and points, without faces. */
int triad_mesh_partition_gather(triad_mesh **whole, const triad_mesh_partition *partition, const triad_mesh *part);

#endif
