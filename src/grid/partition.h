/* A grid's points in blocks: who owns which, and how a block with its halo lies in memory.
 *
 * The n[0] x n[1] x n[2] points are dealt to ranks in dims[0] x dims[1] x dims[2] boxes, whose sides along an axis
 * differ by one point at most. A field of a block is real [z][y][x], x fastest, with `halo[i]` more points at both ends
 * of axis i: copies of a neighbour's, or, beyond a boundary that is not periodic, what the solver puts there. An axis
 * of one point (2-D and 1-D grids) is never divided and has no halo.
 *
 * Places are counted in reals from the start of a field's memory: own point (x, y, z), 0 <= x < local[0] and so on, is
 * at triad_partition_at(b, x, y, z); halo points have x = -halo[0] .. -1 and local[0] .. local[0] + halo[0] - 1. */
#ifndef TRIAD_GRID_PARTITION_H
#define TRIAD_GRID_PARTITION_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_NO_NEIGHBOUR = -1 };

typedef struct triad_partition {
  int64_t n[3];    /* points of the whole grid                                                 */
  int periodic[3]; /* does the axis close on itself?                                           */
  int rank, size;
  int dims[3];         /* blocks along each axis; their product is size                            */
  int place[3];        /* of this rank's block among them; rank = place x + dims x (y + dims y z)  */
  int64_t begin[3];    /* first own point, in the whole grid                                       */
  int64_t local[3];    /* own points                                                               */
  int64_t halo[3];     /* points of halo at each end: the width asked for, 0 on an axis of one     */
  int64_t stride[3];   /* reals from a point to the next along x, y, z; stride[0] = 1             */
  int64_t origin;      /* place of own point (0, 0, 0)                                             */
  int64_t volume;      /* reals that a field takes, halos included                                 */
  int neighbour[3][2]; /* rank that owns the points below and above along each axis (this one where a periodic axis
                        * is not divided), TRIAD_NO_NEIGHBOUR beyond a boundary and on an axis of one point      */
} triad_partition;

/* Deal n points to `size` ranks, as seen by `rank`, with halos of `width` points. `wanted` (NULL: all 0) fixes the
 * number of blocks along an axis where it is not 0; the others are chosen for the least time of a step: fewest points
 * of the largest block, its own and those that others send it; among equals the axis that is slowest in memory is
 * divided. TRIAD_ERR_CASE where no choice leaves every block at least `width` points along each axis of more than one,
 * with the number of ranks that would do. Not collective: it communicates nothing. */
int triad_partition_init(triad_partition *blocks, const int64_t n[3], const int periodic[3], int64_t width, int rank,
                         int size, const int wanted[3]);

/* The rank of the block at `place` + `step`, through periodic boundaries; TRIAD_NO_NEIGHBOUR beyond others. Along an
 * axis of one point there is none but step 0. */
int triad_partition_rank(const triad_partition *blocks, const int step[3]);

/* Where the block of rank r begins in the whole grid, and its points along each axis. */
void triad_partition_of(const triad_partition *blocks, int r, int64_t begin[3], int64_t local[3]);

/* The same division, of fields that have no halo in memory. */
triad_partition triad_partition_bare(const triad_partition *blocks);

/* The same division as rank r sees it, of fields that have halos along axes that are divided alone: along others
 * they end where the block does, and nothing is beside it. On one rank they have none. */
triad_partition triad_partition_divided(const triad_partition *blocks, int r);

static inline int64_t triad_partition_at(const triad_partition *b, int64_t x, int64_t y, int64_t z)
{
  return b->origin + x + y * b->stride[1] + z * b->stride[2];
}

/* Own points. */
static inline int64_t triad_partition_points(const triad_partition *b)
{
  return b->local[0] * b->local[1] * b->local[2];
}

#endif
