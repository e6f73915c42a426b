/* Is a run at its end? */
#include "run/loop_end.h"
#include "run/loop.h"
#include "run/loop_step.h"

int triad_loop_is_last(const triad_progress *p, int64_t step, double t)
{
  return t >= p->end * (1 - 1e-12) || (p->max_steps > 0 && step >= p->max_steps);
}

double triad_loop_settled(const triad_loop *r)
{
  return r->sim.solver->steady ? r->sim.solver->steady->settled(r->sim.flow) : 0;
}

int triad_loop_check_state(triad_loop *r, const char *when)
{
  const triad_solver *solver = r->sim.solver;
  return solver->check_state ? solver->check_state(r->sim.flow, when, r->log) : TRIAD_OK;
}

int triad_loop_finished(const triad_loop *r)
{
  return triad_loop_is_last(&r->progress, r->at->step, r->at->t) || triad_loop_settled(r) >= 1;
}
