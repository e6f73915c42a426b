/* One step of the time loop, and the reasons that end a run after it. */
#include "run/loop_step.h"
#include "run/loop.h"
#include "run/loop_change.h"
#include "run/loop_end.h"
#include "run/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A flow whose steps have become too short to reach the end by is over: this many of them, in a row, each so short that
 * more than MOST_STEPS would be needed, which is 30 years at 10 us a step. */
enum { MOST_TINY = 100 };
static const double MOST_STEPS = 1e14;

static int has_column(const triad_series_info *info, const char *name)
{
  for (int i = 0; i < info->n; i++)
    if (strcmp(info->columns[i].name, name) == 0) return 1;
  return 0;
}

static void name_last_checkpoint(triad_loop *r)
{
  if (r->out.saved_step >= 0)
    triad_log_error(r->log, "the last valid checkpoint is of step %" PRId64 "; the same command resumes from it",
                    r->out.saved_step);
  else
    triad_log_error(
      r->log, "there is no earlier checkpoint: output.checkpoint_interval and output.checkpoint_wall_interval set how "
              "often one is written");
}

static void explain_blow_up(triad_loop *r)
{
  char where[256] = "", remedy[256] = "";
  const triad_blowup_part *b = r->sim.solver->blowup;
  triad_log_clear(r->log);
  triad_log_error(r->log, "blow-up: after step %" PRId64 " (t = %g, dt = %g) a value is not finite", r->at->step,
                  r->at->t, r->at->dt);
  if (b && b->locate && b->locate(r->sim.flow, where, sizeof where) == TRIAD_OK && where[0])
    triad_log_error(r->log, "%s", where);
  name_last_checkpoint(r);
  if (b && b->remedy) b->remedy(r->sim.flow, remedy, sizeof remedy);
  if (remedy[0]) {
    triad_log_error(r->log, "%s", remedy);
    return;
  }
  triad_log_error(r->log, "use a smaller %s, or a finer grid%s", r->step.dt > 0 ? "time.dt" : "time.cfl",
                  has_column(&r->out.info, "kmax_eta") ? " if kmax_eta in series.csv has fallen below 1" : "");
}

int triad_loop_blown(triad_loop *r, int st)
{
  if (st == TRIAD_ERR_BLOWUP && !r->stuck) {
    if (r->out.drifted) name_last_checkpoint(r);
    else explain_blow_up(r);
  }
  r->stuck |= st == TRIAD_ERR_BLOWUP;
  return st;
}

/* Saved, or not: what the request that all ranks now share comes to. */
static int heed(triad_loop *r)
{
  int saved = 0;
  volatile sig_atomic_t *request = r->options->request;
  if (r->step.requested == TRIAD_REQUEST_GIVE_UP) return triad_outputs_give_up(&r->out, r->at);
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  if (r->step.requested == TRIAD_REQUEST_STOP) return saved ? TRIAD_STOPPED : TRIAD_ERR_IO;
  if (*request == TRIAD_REQUEST_SAVE) {
    *request = TRIAD_REQUEST_NONE;
    if (saved) triad_log_info(r->log, "saved as requested, at step %" PRId64, r->at->step);
  }
  return r->step.requested == TRIAD_REQUEST_SET ? triad_loop_change_case(r, saved) : TRIAD_OK;
}

/* Once for each process that comes to set the length of steps. */
static void tell_limit(triad_loop *r)
{
  if (r->limit && strcmp(r->limit, r->step.limit) == 0) return;
  r->limit = r->step.limit;
  triad_log_detail(r->log, "from step %" PRId64 " dt is limited by %s", r->at->step, r->limit);
}

/* Once, some steps after the start: diffusion alone makes steps this short, and a key would make it implicit. */
static void tell_of_diffusion(triad_loop *r)
{
  const int settling = 10;
  const double times = 3; /* longer steps that are worth the change */
  if (r->told_of_diffusion || r->stop.steps < settling || !isfinite(r->step.dt_implicit) ||
      r->step.dt_implicit < times * r->step.uncut)
    return;
  r->told_of_diffusion = 1;
  triad_log_info(r->log,
                 "dt = %.3g is set by explicit diffusion: time.dt_max = %.2g would make diffusion implicit and allow "
                 "steps %.0f times as long",
                 r->step.uncut, r->step.dt_implicit, r->step.dt_implicit / r->step.uncut);
}

/* Once: a step that the scheme does not bear. Where it is cut so as to land on a time it may be any shorter. */
static void warn_of_step(triad_loop *r)
{
  if (r->warned || !(r->step.bound > 0) || r->at->dt <= r->step.bound * 1.01) return;
  r->warned = 1;
  triad_log_warning(
    r->log, "step %" PRId64 ": dt = %.3g exceeds the stability limit of the scheme, here %.3g: use a smaller %s",
    r->at->step, r->at->dt, r->step.bound, r->step.dt > 0 ? "time.dt" : "time.cfl");
}

/* What has made steps too short to reach the end by. */
static void explain_tiny(triad_loop *r, double before)
{
  const char *key = r->step.dt > 0 ? NULL : triad_outputs_landing_key(&r->out, before);
  const double needed = (r->progress.end - before) / r->step.uncut;
  if (key && needed <= MOST_STEPS)
    triad_log_error(r->log,
                    "dt is limited by %s: steps end at its multiples, and %s alone allows %g. Use a longer interval, "
                    "or 0 for no such files",
                    key, r->step.limit ? r->step.limit : "the case", r->step.uncut);
  else
    triad_log_error(r->log, "dt is limited by %s: the velocity is too high for the grid, or values are near overflow",
                    r->step.limit ? r->step.limit : "the case");
}

/* Does t move? A step that a case gives itself (time.dt) is its own business as long as it does. */
static int check_step(triad_loop *r, double before)
{
  int chosen = r->step.dt <= 0 && r->progress.max_steps == 0, still = r->at->t <= before;
  int tiny = still || (chosen && (r->progress.end - before) / r->at->dt > MOST_STEPS);
  r->tiny = tiny && !triad_loop_finished(r) ? r->tiny + 1 : 0;
  if (!still && r->tiny < MOST_TINY) return TRIAD_OK;
  if (still && triad_loop_finished(r)) return TRIAD_OK;
  r->stuck = 1;
  triad_log_clear(r->log);
  if (still)
    triad_log_error(r->log, "at step %" PRId64 " dt = %g is too small to change t = %g", r->at->step, r->at->dt,
                    r->at->t);
  else
    triad_log_error(r->log,
                    "at step %" PRId64
                    " (t = %g) dt has been so small for %d steps, now %g, that more than %g steps would remain",
                    r->at->step, r->at->t, MOST_TINY, r->at->dt, MOST_STEPS);
  explain_tiny(r, before);
  return TRIAD_ERR_BLOWUP;
}

int triad_loop_advance(triad_loop *r)
{
  double begin = triad_now(), before = r->at->t;
  /* a fixed step is fixed: outputs come at the first step past their time */
  double landing = r->step.dt > 0 ? INFINITY : triad_outputs_landing(&r->out, before);
  r->step.land_on = fmin(r->progress.end, fmin(landing, r->step.dt > 0 ? INFINITY : r->land_on));
  r->step.request = triad_stop_requests_now(&r->stop);
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_STEP, "computing");
  TRIAD_TRY(r->sim.solver->advance(r->sim.flow, &r->step));
  triad_watchdog_end(r->sim.context->watch);
  tell_limit(r);
  tell_of_diffusion(r);
  warn_of_step(r);
  TRIAD_TRY(check_step(r, before));
  double took = triad_now() - begin;
  r->progress.settled = triad_loop_settled(r);
  if (r->progress.settled >= 1)
    TRIAD_TRY(triad_agree(&r->sim.context->comm, triad_notes_set_integer(r->out.notes, "settled", 1)));
  r->progress.step_s = r->progress.step_s > 0 ? 0.9 * r->progress.step_s + 0.1 * took : took;
  TRIAD_TRY(triad_outputs_due(&r->out, r->at, before, 0, triad_loop_finished(r)));
  r->stop.step_s = fmax(r->stop.step_s, triad_now() - begin);
  r->stop.steps++;
  triad_progress_show(&r->progress, r->log, r->at, r->step.advection_rate, r->out.columns[0], triad_loop_finished(r));
  triad_status_write(&r->status, &r->sim, r->options->dir, &r->progress, r->at, triad_loop_finished(r));
  if (triad_loop_finished(r)) return triad_loop_check_state(r, "final");
  if (r->step.requested != TRIAD_REQUEST_NONE) TRIAD_TRY(heed(r));
  return triad_loop_follow(r);
}
