/* Partition of a grid's points into blocks, one per rank, and the memory layout of a block with its halo.
 *
 * The n[0] x n[1] x n[2] points are divided into dims[0] x dims[1] x dims[2] boxes, whose sides along an axis differ
 * by at most one point. A field of a block is real [z][y][x], x fastest, with `halo[i]` more points at both ends of
 * axis i: copies of a neighbour's points or, beyond a non-periodic boundary, values that the solver sets. An axis of
 * one point (2-D and 1-D grids) is never divided and has no halo.
 *
 * Indices count reals from the start of a field's memory: own point (x, y, z), 0 <= x < local[0] and so on, has index
 * triad_partition_at(b, x, y, z). Halo points have x = -halo[0] .. -1 and local[0] .. local[0] + halo[0] - 1. */
#ifndef TRIAD_GRID_PARTITION_H
#define TRIAD_GRID_PARTITION_H

#include "base/status.h"

#include <stdint.h>

enum { TRIAD_NO_NEIGHBOUR = -1 };

typedef struct triad_partition {
  int64_t n[3];    /* points of the whole grid */
  int periodic[3]; /* 1: the axis is periodic */
  int rank, size;
  int dims[3];         /* blocks along each axis; their product is size                            */
  int place[3];        /* index of this rank's block along each axis; rank = place x + dims x (y + dims y z) */
  int64_t begin[3];    /* first own point, in the whole grid                                       */
  int64_t local[3];    /* own points                                                               */
  int64_t halo[3];     /* points of halo at each end: the requested width, 0 on an axis of one point */
  int64_t stride[3];   /* reals from a point to the next along x, y, z; stride[0] = 1             */
  int64_t origin;      /* index of own point (0, 0, 0) */
  int64_t volume;      /* reals in a field's memory, including halos */
  int neighbour[3][2]; /* rank that owns the points below and above along each axis (this one where a periodic axis
                        * is not divided), TRIAD_NO_NEIGHBOUR beyond a boundary and on an axis of one point      */
} triad_partition;

/* Divide n points among `size` ranks with halos of `width` points; the result is that of `rank`. A nonzero element of
 * the last argument (NULL: all 0) fixes the number of blocks along its axis. The others are chosen to minimise the time
 * per step: the number of own and received points of the largest block; if equal, the axis that is slowest in memory is
 * divided. TRIAD_ERR_CASE if no choice leaves every block at least `width` points along each axis with more than one
 * point; the message gives a possible number of ranks. Not collective: it does not communicate. */
int triad_partition_init(triad_partition *blocks, const int64_t n[3], const int periodic[3], int64_t width, int rank,
                         int size, const int wanted[3]);

/* The rank of the block at `place` + `step`, across periodic boundaries; TRIAD_NO_NEIGHBOUR beyond other boundaries.
 * On an axis of one point only step 0 has a neighbour. */
int triad_partition_rank(const triad_partition *blocks, const int step[3]);

/* The first point of rank r's block in the whole grid, and its points along each axis. */
void triad_partition_of(const triad_partition *blocks, int r, int64_t begin[3], int64_t local[3]);

/* The same partition for fields without halos. */
triad_partition triad_partition_bare(const triad_partition *blocks);

/* The same partition as seen by rank r, for fields that have halos only along divided axes. On one rank there are
 * none. */
triad_partition triad_partition_divided(const triad_partition *blocks, int r);

static inline int64_t triad_partition_at(const triad_partition *b, int64_t x, int64_t y, int64_t z)
{
  return b->origin + x + y * b->stride[1] + z * b->stride[2];
}

/* Number of own points. */
static inline int64_t triad_partition_points(const triad_partition *b)
{
  return b->local[0] * b->local[1] * b->local[2];
}

#endif
