/* Join the laps of threads, and divide the time of loops in proportion to them. */
#include "solvers/laps.h"

#include <string.h>

void triad_laps_end(triad_laps *laps)
{
  double sum = 0;
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) sum += laps->tile[i];
  for (int i = 0; i < TRIAD_MOST_PHASES && sum > 0; i++) laps->s[i] += laps->tile[i] / sum;
  memset(laps->tile, 0, sizeof laps->tile);
  laps->on = 0;
}

void triad_laps_join(triad_laps *all, triad_laps *mine)
{
  if (mine->on) triad_laps_end(mine);
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) all->s[i] += mine->s[i];
  memset(mine->s, 0, sizeof mine->s);
}

triad_phases triad_laps_take(triad_laps *laps, int slot, triad_phases *phases)
{
  const double old = 1e-6; /* weight of former laps: only if there are no new ones */
  triad_phases taken = triad_phases_take(phases);
  double sum = 0;
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) sum += laps->s[i];
  for (int i = 0; i < TRIAD_MOST_PHASES && sum > 0; i++) taken.s[i] += laps->took * laps->s[i] / sum;
  if (!(sum > 0)) taken.s[slot] += laps->took;
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) laps->s[i] *= old;
  laps->took = 0;
  return taken;
}
