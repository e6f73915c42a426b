/* Freeze limiters: keep the share that each limiter leaves of the slope, and compute it again after a restart from
 * the state of that time. */
#include "solvers/multiblock/step/freeze.h"

#include "solvers/multiblock/step/halos.h"

#include <string.h>

static void freeze_parts(triad_multiblock_flow *f)
{
  f->loops->freeze(f);
  f->frozen = 1;
}

void triad_multiblock_freeze(triad_multiblock_flow *f)
{
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    memcpy(f->frozen_u[m], f->u[m], (size_t)f->space.memory * sizeof(triad_real));
  freeze_parts(f);
}

/* The state that limiters were frozen in takes the place of the flow's until its parts are found. */
int triad_multiblock_freeze_again(triad_multiblock_flow *f)
{
  triad_real *now[TRIAD_MULTIBLOCK_FIELDS];
  memcpy(now, f->u, sizeof now);
  memcpy(f->u, f->frozen_u, sizeof now);
  const int st = triad_multiblock_refresh(f);
  memcpy(f->u, now, sizeof now);
  freeze_parts(f);
  return st;
}
