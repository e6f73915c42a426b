/* Time of parts that alternate within the tiles of a loop, from a sample of the tiles. */
#ifndef TRIAD_SOLVERS_LAPS_H
#define TRIAD_SOLVERS_LAPS_H

#include "solvers/phases.h"

#include <stdint.h>

/* Time of the parts of a loop over tiles, rows or layers. Only some of them are timed part by part, since reading the
 * clock for all would cost more than 0.5 %; the shares of their parts hold for the whole time of the loop. A thread has
 * laps of its own, which are joined to the flow's. */
enum { TRIAD_LAPS_EVERY = 29 /* tiles */ };
typedef struct triad_laps {
  int on;                         /* 1: this tile is timed */
  double last;                    /* end of the last part [s] */
  double tile[TRIAD_MOST_PHASES]; /* parts of the tile that is being timed [s] */
  double s[TRIAD_MOST_PHASES];    /* sums of the shares of tiles that were timed, each of which counts 1 */
  double took;                    /* by all loops, until it is divided [s] */
  int64_t tiles;                  /* so far */
} triad_laps;

/* End the tile that is being timed. Its shares count, not its time: a tile that the scheduler interrupted would
 * outweigh all others. */
void triad_laps_end(triad_laps *laps);

/* Begin a tile; on: 1 if it is one of those that are timed. */
static inline void triad_laps_begin(triad_laps *laps, int on)
{
  if (laps->on) triad_laps_end(laps);
  laps->on = on;
  if (on) laps->last = triad_now();
}

/* Is tile `number` of a loop timed, when `all` has counted the tiles of the loops before it? */
static inline int triad_laps_sample(const triad_laps *all, int64_t number)
{
  return (all->tiles + number) % TRIAD_LAPS_EVERY == 0;
}

/* The time since the last part belongs to a slot. */
static inline void triad_laps_charge(triad_laps *laps, int slot)
{
  if (!laps->on) return;
  const double now = triad_now();
  laps->tile[slot] += now - laps->last;
  laps->last = now;
}

/* Add the laps of a thread to those of all, and clear them. */
void triad_laps_join(triad_laps *all, triad_laps *mine);

/* As triad_phases_charge, of a loop with parts. */
static inline void triad_laps_add(triad_laps *laps, double *since)
{
  const double now = triad_now();
  laps->took += now - *since;
  *since = now;
}

/* As triad_phases_take, after the time of loops has been divided in proportion to their laps; if no tile was ever timed
 * it belongs to `slot`. */
triad_phases triad_laps_take(triad_laps *laps, int slot, triad_phases *phases);

#endif
