/* A step: its length, its stages, and the test of its residuals. */
#include "solvers/multiblock/step/step.h"

#include "solvers/multiblock/step/freeze.h"
#include "solvers/multiblock/step/halos.h"
#include "solvers/multiblock/step/implicit.h"
#include "solvers/multiblock/plain/residuals.h"
#include "solvers/multiblock/step/stages.h"

/* What changes with the residuals: slopes of a flow that began without, limiters that freeze, the end. */
static int check_residuals(triad_multiblock_flow *f)
{
  const int sloped = f->sloped;
  TRIAD_TRY(triad_multiblock_residuals_sum(f));
  f->sloped = sloped || triad_multiblock_residual(f, 0) <= f->setup.first_order;
  f->converged = sloped && triad_multiblock_is_steady(f);
  if (f->frozen_u[0] && !f->frozen && sloped && triad_multiblock_residual(f, 0) <= f->setup.freeze)
    return triad_multiblock_freeze(f);
  return TRIAD_OK;
}

/* The largest rate of the state that a step began with, if the step has found it. */
static int find_rate_at_start(triad_multiblock_flow *f, triad_step *step)
{
  if (!f->rates_first) return TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&f->most, &f->rate, 1, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  step->advection_rate = f->rate;
  return TRIAD_OK;
}

/* cfl: of each cell alone; dt: of all cells, if it is above 0. */
static int take_step(triad_multiblock_flow *f, double cfl, double dt)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_multiblock_write_flow(f, f->loops->where)));
  if (f->setup.implicit) triad_multiblock_implicit_step(f, cfl);
  else triad_multiblock_stages(f, cfl, dt);
  TRIAD_TRY(f->loops->settle(f));
  return triad_gas_formulas_check(f->formulas, &f->context->comm);
}

int triad_multiblock_advance(void *self, triad_step *step)
{
  triad_multiblock_flow *f = self;
  const triad_multiblock_setup *s = &f->setup;
  triad_step_limits limits = {0};
  f->charged = triad_now();
  double mine[3] = {step->request, f->bad > 0, f->loops->largest_rate(f)}, all[3], dt = 1, own = 0, same = 0;
  f->loops->charge(f, TRIAD_MULTIBLOCK_PHASE_CHECKS);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi)));
  step->requested = (int)all[0];
  f->order = f->sloped ? s->order : 0;
  step->advection_rate = f->rate = all[2];
  if (all[1] > 0) {
    TRIAD_TRY(triad_multiblock_copy_to_host(f)); /* where the bad cell is */
    return TRIAD_ERR_BLOWUP;
  }
  if (s->steady) {
    step->limit = "time.steady";
    own = step->cfl;
    same = s->local || s->implicit ? 0 : step->cfl / all[2];
  } else {
    triad_step_limit(&limits, "waves", step->cfl / all[2]);
    same = dt = triad_step_length(step, f->at.t, &limits);
  }
  TRIAD_TRY(take_step(f, own, same));
  TRIAD_TRY(find_rate_at_start(f, step));
  TRIAD_TRY(check_residuals(f));
  f->loops->charge(f, TRIAD_MULTIBLOCK_PHASE_CHECKS);
  if (!s->steady) triad_step_done(&f->at, step, dt);
  else {
    f->at = (triad_instant){f->at.step + 1, (double)(f->at.step + 1), 1}; /* t counts steps */
    step->advection_rate = step->cfl;                                     /* dt is 1, and not that of any cell */
  }
  return TRIAD_OK;
}
