/* Boxes of a block's points: which can be worked at before halos have come, and what is left for afterwards. */
#ifndef TRIAD_SOLVERS_WENO_BOX_H
#define TRIAD_SOLVERS_WENO_BOX_H

#include "base/precision.h"
#include "grid/partition.h"

/* Points low[i] <= x_i < high[i] of the block, in its own numbering; halo points are negative or beyond local[i]. */
typedef struct triad_weno_box {
  int64_t low[3], high[3];
} triad_weno_box;


static inline int64_t triad_weno_box_points(const triad_weno_box *b)
{
  return (b->high[0] - b->low[0]) * (b->high[1] - b->low[1]) * (b->high[2] - b->low[2]);
}

/* All own points; with all halos; with those halos that need no other rank. */
triad_weno_box triad_weno_own_box(const triad_partition *blocks);
triad_weno_box triad_weno_padded_box(const triad_partition *blocks);
triad_weno_box triad_weno_near_box(const triad_partition *blocks);

/* Own points further than margin[i] from faces across axis i that other ranks adjoin; may be empty. */
triad_weno_box triad_weno_inner_box(const triad_partition *blocks, const int64_t margin[3]);

/* What `all` has and `done`, which lies in it or is empty, has not, in at most six boxes. Returns how many. */
enum { TRIAD_WENO_SHELL = 6 };
int triad_weno_shell(const triad_weno_box *all, const triad_weno_box *done, triad_weno_box part[TRIAD_WENO_SHELL]);

#endif
