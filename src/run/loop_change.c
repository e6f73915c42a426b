/* Requests for another case or another grid during a run, and warnings that end it. */
#include "run/loop_change.h"
#include "run/loop.h"

#include <string.h>

int triad_loop_change_case(triad_loop *r, int saved)
{
  const triad_run_hooks *hooks = &r->options->hooks;
  const triad_case *given = r->sim.given;
  if (!hooks->change) return TRIAD_OK;
  TRIAD_TRY(hooks->change(hooks->who, saved, r->at, &given, &r->changes));
  if (given == r->sim.given) return TRIAD_OK;
  r->next = given;
  return TRIAD_LOOP_CHANGED;
}

static const triad_follow_part *follows(const triad_loop *r)
{
  const triad_follow_part *f = r->sim.solver->follow;
  return f && r->options->hooks.regrid && !r->options->keeps_grid && f->asked(r->sim.given) ? f : NULL;
}

int triad_loop_follow(triad_loop *r)
{
  int saved = 0;
  const triad_follow_part *f = follows(r);
  if (!f || triad_loop_finished(r)) return TRIAD_OK;
  TRIAD_TRY(f->look(r->sim.flow, r->log, r->grid, r->why, sizeof r->why));
  if (r->grid[0] == 0) return TRIAD_OK;
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  if (saved) return TRIAD_LOOP_CHANGED;
  r->grid[0] = 0; /* the disk does not take it: the next look asks again */
  return TRIAD_OK;
}

int triad_loop_follow_found(triad_loop *r, const triad_manifest *found)
{
  int64_t n[3];
  TRIAD_TRY(triad_agree(&r->sim.context->comm, triad_solver_find(&r->sim.solver, r->sim.given)));
  const int same = r->options->goes_on || !follows(r) || found->points;
  if (!same) triad_case_integers(r->sim.given, "grid.n", n, 3);
  if (same || memcmp(n, found->grid.n, sizeof n) == 0) return TRIAD_OK;
  memcpy(r->grid, found->grid.n, sizeof n);
  return TRIAD_LOOP_CHANGED;
}

int triad_run_strict(const triad_comm *comm, const triad_run_options *o)
{
  int n = o->strict ? triad_log_warnings(o->log) : 0;
  return triad_agree(comm,
                     n > 0 ? TRIAD_FAIL(TRIAD_ERR_CASE, "--strict: %d warning%s", n, n > 1 ? "s" : "") : TRIAD_OK);
}
