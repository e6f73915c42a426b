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

int triad_multiblock_freeze(triad_multiblock_flow *f)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_multiblock_read_flow(f, TRIAD_HOST)));
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
    memcpy(f->frozen_u[m], f->u[m], (size_t)f->space.memory * sizeof(triad_real));
  freeze_parts(f);
  return TRIAD_OK;
}

/* Put other memory in place of the host's copy of the state; that of a device is out of date then. */
static int set_state(triad_multiblock_flow *f, triad_real *const u[TRIAD_MULTIBLOCK_FIELDS])
{
  memcpy(f->u, u, sizeof f->u);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) TRIAD_TRY(triad_state_overwrite(f->state, m, TRIAD_HOST, NULL));
  return TRIAD_OK;
}

/* The state that limiters were frozen in takes the place of the flow's until its parts are found. */
int triad_multiblock_freeze_again(triad_multiblock_flow *f)
{
  triad_real *now[TRIAD_MULTIBLOCK_FIELDS];
  TRIAD_TRY(triad_agree(&f->context->comm, triad_multiblock_read_flow(f, TRIAD_HOST)));
  memcpy(now, f->u, sizeof now);
  int st = set_state(f, f->frozen_u);
  if (st == TRIAD_OK) st = triad_multiblock_refresh(f);
  freeze_parts(f);
  const int back = set_state(f, now);
  return st != TRIAD_OK ? st : back;
}
