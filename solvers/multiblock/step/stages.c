/* Stages of an explicit step. The first stage finds its halos complete. In later stages, tiles that need no halo are
 * computed while messages are communicated. */
#include "solvers/multiblock/step/stages.h"

#include "solvers/multiblock/step/halos.h"

static triad_multiblock_stage stage_of(const triad_multiblock_setup *setup, int k, double cfl, double dt)
{
  const triad_stage *s = &setup->scheme.stage[k];
  return (triad_multiblock_stage){.number = k,
                                  .start = (triad_real)s->start,
                                  .last = (triad_real)s->last,
                                  .rate = (triad_real)s->rate,
                                  .cfl = (triad_real)cfl,
                                  .dt = (triad_real)dt,
                                  .leaves = triad_multiblock_leaves_of(setup, k)};
}

void triad_multiblock_sources(triad_multiblock_flow *f, double t)
{
  if (!f->formulas) return;
  f->loops->sources(f, t);
  f->loops->charge(f, TRIAD_MULTIBLOCK_PHASE_SOURCES);
}

void triad_multiblock_stages(triad_multiblock_flow *f, double cfl, double dt)
{
  const triad_multiblock_loops *on = f->loops;
  double c = 0; /* time of the state that a stage begins with, in steps */
  for (int k = 0; k < f->setup.scheme.n_stages; k++) {
    triad_multiblock_stage stage = stage_of(&f->setup, k, cfl, dt);
    triad_multiblock_sources(f, f->at.t + c * dt);
    c = (double)stage.last * c + (double)stage.rate;
    if (k == 0) {
      on->sweep(f, &stage, TRIAD_MULTIBLOCK_ALL_TILES);
    } else {
      on->sweep(f, &stage, TRIAD_MULTIBLOCK_EARLY_TILES);
      on->charge(f, TRIAD_MULTIBLOCK_PHASE_SWEEP);
      triad_multiblock_halos_end(f, on);
      on->sweep(f, &stage, TRIAD_MULTIBLOCK_LATE_TILES);
    }
    on->charge(f, TRIAD_MULTIBLOCK_PHASE_SWEEP);
    on->finish_stage(f, &stage);
    on->charge(f, TRIAD_MULTIBLOCK_PHASE_UPDATE);
    triad_multiblock_halos_begin(f, on);
  }
  triad_multiblock_halos_end(f, on);
}
