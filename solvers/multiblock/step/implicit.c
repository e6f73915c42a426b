/* Take an implicit step: build the right-hand side, then relax the change of the state by a few Jacobi sweeps. */
#include "solvers/multiblock/step/implicit.h"

#include "solvers/multiblock/step/halos.h"
#include "solvers/multiblock/step/stages.h"

/* Change 0 stays the right-hand side of all sweeps; changes 1 and 2 hold the last sweep and the next in turn. */
void triad_multiblock_implicit_step(triad_multiblock_flow *f, double cfl)
{
  const triad_multiblock_loops *on = f->loops;
  int now = 0;
  triad_multiblock_sources(f, 0);
  on->implicit_steps(f, cfl / (1 + cfl));
  on->first_change(f);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_SWEEP);
  for (int k = 0; k < f->setup.sweeps; k++) {
    const int next = 1 + k % 2;
    on->exchange_change(f, now);
    on->charge(f, TRIAD_PHASE_EXCHANGE);
    on->relax(f, now, next);
    on->charge(f, TRIAD_MULTIBLOCK_PHASE_IMPLICIT);
    now = next;
  }
  on->apply_change(f, now);
  on->primitives(f);
  on->charge(f, TRIAD_MULTIBLOCK_PHASE_UPDATE);
  triad_multiblock_halos_begin(f, on);
  triad_multiblock_halos_end(f, on);
}
