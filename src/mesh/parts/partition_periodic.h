/* Periodic patches of a partitioned mesh: match faces, exchange pairs, join them. Collective. */
#ifndef TRIAD_MESH_PARTS_PARTITION_PERIODIC_H
#define TRIAD_MESH_PARTS_PARTITION_PERIODIC_H

#include "mesh/parts/partition_internal.h"

/* Two matching sides of outer faces: [0] of the first, [1] of the second patch of a pair. */
typedef struct triad_mesh_side_pair {
  int32_t cell[2], side[2], rank[2]; /* global numbers of cells */
} triad_mesh_side_pair;

typedef struct triad_mesh_side_pairs {
  int64_t n, first[TRIAD_MESH_PATCHES + 1]; /* [pair of patches] index of its first side pair */
  triad_mesh_side_pair *list;
  double shift[TRIAD_MESH_PATCHES][3];
} triad_mesh_side_pairs;

/* Match periodic sides over all ranks; the result is the same on each. */
int triad_mesh_partition_match(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                               triad_mesh_side_pairs *out);
/* not collective */
int triad_mesh_partition_share_pairs(triad_mesh_partition *partition, const triad_mesh_side_pairs *pairs);
/* not collective */
int triad_mesh_partition_join(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                              const triad_mesh_side_pairs *pairs);

#endif
