/* What a halo exchange consists of: one part a direction, whoever packs and carries it. */
#ifndef TRIAD_GRID_HALO_PARTS_H
#define TRIAD_GRID_HALO_PARTS_H

#include "grid/partition.h"

enum { TRIAD_HALO_PARTS = 26 };

/* A box of points of a field: first point, in the block's own numbers, and points along each axis. */
typedef struct triad_box {
  int64_t first[3], count[3];
} triad_box;

/* Own points `give` go to the block at `step`; halo points `take` come from it. */
typedef struct triad_halo_part {
  int step[3], peer;    /* peer may be this rank itself                                         */
  int number, opposite; /* of the direction among all 27, and of the one that faces it: the tags */
  triad_box give, take; /* of equal size                                                        */
  int64_t points;       /* in a box                                                             */
  int64_t offset;       /* points of the parts before: where a buffer of one field has this one */
} triad_halo_part;

/* The parts of this rank, for halos of `width` points and neighbours that differ along up to `reach` axes.
 * Returns how many; *points is the sum of theirs. Not collective. */
int triad_halo_parts(const triad_partition *blocks, int64_t width, int reach, triad_halo_part parts[TRIAD_HALO_PARTS],
                     int64_t *points);

#endif
