/* Boxes of points: their algebra, and the boxes of a block of a partition, such as those whose points can be worked at
 * before halos have come, and what is left for afterwards. */
#ifndef TRIAD_GRID_BOX_H
#define TRIAD_GRID_BOX_H

#include "grid/partition.h"

/* Points low[i] <= x_i < high[i]; empty where high[i] <= low[i] along any axis. In a block's own numbering halo points
 * are negative or at local[i] and beyond. */
typedef struct triad_box {
  int64_t low[3], high[3];
} triad_box;

static inline int triad_box_is_empty(const triad_box *b)
{
  return b->high[0] <= b->low[0] || b->high[1] <= b->low[1] || b->high[2] <= b->low[2];
}

static inline int64_t triad_box_points(const triad_box *b)
{
  if (triad_box_is_empty(b)) return 0;
  return (b->high[0] - b->low[0]) * (b->high[1] - b->low[1]) * (b->high[2] - b->low[2]);
}

/* With by[i] more points at both ends of axis i (fewer: negative). */
triad_box triad_box_grow(const triad_box *b, const int64_t by[3]);

/* What `all` has and `done`, which lies in it or is empty, has not, in at most six boxes that share no point: slabs
 * across z, then across y, then across x. Returns how many. */
enum { TRIAD_BOX_SHELL = 6 };
int triad_box_shell(const triad_box *all, const triad_box *done, triad_box part[TRIAD_BOX_SHELL]);

/* Of a block: all own points; with all halos; with those halos that need no other rank. */
triad_box triad_box_own(const triad_partition *blocks);
triad_box triad_box_padded(const triad_partition *blocks);
triad_box triad_box_near(const triad_partition *blocks);

/* Own points further than margin[i] from faces across axis i that other ranks adjoin; may be empty. */
triad_box triad_box_inner(const triad_partition *blocks, const int64_t margin[3]);

#endif
