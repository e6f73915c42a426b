/* Halos of the primitives: boundaries first, then messages; edges, temperature and viscosity follow from both. Derived
 * values of cells that late messages change are computed again. */
#include "solvers/multiblock/step/halos.h"

#include "solvers/multiblock/host/host_loops.h"

void triad_multiblock_halos_begin(triad_multiblock_flow *f, const triad_multiblock_loops *on)
{
  on->boundaries(f);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_BOUNDARIES);
  on->begin(f);
  on->charge(f, TRIAD_PHASE_EXCHANGE);
  on->derived(f, TRIAD_MULTIBLOCK_ALL_PLACES);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_TEMPERATURE);
}

void triad_multiblock_halos_end(triad_multiblock_flow *f, const triad_multiblock_loops *on)
{
  on->end(f);
  on->charge(f, TRIAD_PHASE_EXCHANGE);
  if (f->late) on->derived(f, TRIAD_MULTIBLOCK_LATE_PLACES);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_TEMPERATURE);
}

static int refresh_on(triad_multiblock_flow *f, const triad_multiblock_loops *on)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_multiblock_read_flow(f, on->where)));
  f->bad = 0;
  f->charged = triad_now();
  on->primitives(f);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_UPDATE);
  triad_multiblock_halos_begin(f, on);
  triad_multiblock_halos_end(f, on);
  return on->settle(f);
}

int triad_multiblock_refresh(triad_multiblock_flow *f) { return refresh_on(f, f->loops); }

int triad_multiblock_copy_to_host(triad_multiblock_flow *f)
{
  return f->loops->where == TRIAD_HOST ? TRIAD_OK : refresh_on(f, &triad_multiblock_host_loops);
}
