/* Boxes of points and their algebra; boxes of a block of a partition, such as the inner points, which can be computed
 * before halos arrive, and the outer points, which cannot. */
#ifndef TRIAD_GRID_BOX_H
#define TRIAD_GRID_BOX_H

#include "grid/partition.h"

/* Points low[i] <= x_i < high[i]; empty if high[i] <= low[i] along any axis. In a block's local indices halo points
 * are negative, or local[i] and above. */
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

/* The box extended by by[i] points at both ends of axis i (negative: reduced). */
triad_box triad_box_grow(const triad_box *b, const int64_t by[3]);

/* The points of `all` that are not in `done` (which lies inside `all` or is empty), as at most six disjoint boxes:
 * slabs across z, then y, then x. Returns their number. */
enum { TRIAD_BOX_SHELL = 6 };
int triad_box_shell(const triad_box *all, const triad_box *done, triad_box part[TRIAD_BOX_SHELL]);

/* Boxes of a block: own: all own points; padded: with all halos; near: with those halos that are filled without
 * another rank. */
triad_box triad_box_own(const triad_partition *blocks);
triad_box triad_box_padded(const triad_partition *blocks);
triad_box triad_box_near(const triad_partition *blocks);

/* Own points farther than margin[i] from each face across axis i that another rank adjoins; may be empty. */
triad_box triad_box_inner(const triad_partition *blocks, const int64_t margin[3]);

#endif
