/* The time loop of one case: set-up from the case file to an initialised flow, output files, steps, end. */
#include "run/loop.h"
#include "run/output_checkpoint.h"
#include "run/loop_find.h"
#include "run/loop_step.h"
#include "run/loop_change.h"
#include "run/loop_end.h"
#include "run/series.h"
#include "run/probes.h"

#include "base/version.h"
#include "case/case_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the case to an initialised flow ---- */

static void read_case(triad_loop *r)
{
  const triad_case *c = r->sim.given;
  r->progress =
    (triad_progress){.end = triad_case_real(c, "time.end"), .max_steps = triad_case_integer(c, "time.max_steps")};
  r->step = (triad_step){.dt = triad_case_real(c, "time.dt"),
                         .cfl = triad_case_real(c, "time.cfl"),
                         .dt_max = triad_case_real(c, "time.dt_max")};
  r->out = (triad_outputs){.sim = r->sim,
                           .dir = r->options->dir,
                           .log = r->log,
                           .stop = &r->stop,
                           .saved_step = -1,
                           .hooks = &r->options->hooks};
  triad_outputs_read(&r->out, c);
}

/* The notes in every file of the run: version, commit and case. */
static int make_notes(triad_loop *r)
{
  char *text = NULL;
  size_t size = 0;
  triad_notes *notes;
  TRIAD_TRY(triad_notes_create(&r->out.notes));
  notes = r->out.notes;
  TRIAD_TRY(triad_notes_set_text(notes, "version", triad_version()));
  TRIAD_TRY(triad_notes_set_text(notes, "commit", triad_commit()));
  TRIAD_TRY(triad_case_resolved(r->sim.given, &text, &size));
  int st = triad_notes_set_text(notes, "case", text);
  free(text);
  return st;
}

static int make_flow(triad_loop *r)
{
  triad_outputs *o = &r->out;
  const triad_comm *comm = &r->sim.context->comm;
  TRIAD_TRY(triad_agree(comm, triad_solver_find(&r->sim.solver, r->sim.given)));
  TRIAD_TRY(r->sim.solver->create(&r->sim.flow, r->sim.context, r->sim.given, r->options->dir));
  r->sim.solver->columns(r->sim.flow, &o->info);
  triad_outputs_of(o, &r->sim);
  r->at = r->sim.solver->instant(r->sim.flow);
  o->columns = calloc((size_t)o->info.n + 1, sizeof *o->columns);
  if (o->columns) o->columns[0] = NAN;
  int st = o->columns ? make_notes(r) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of the series");
  if (st == TRIAD_OK) st = triad_limits_create(&o->limits, &o->info);
  /* until a checkpoint has been written: at 50 MB/s, which a busy network file system still does */
  double estimate = (double)r->options->checkpoint_bytes / 50e6 + 1;
  if (st == TRIAD_OK)
    st = triad_stop_requests_begin(&r->stop, comm, r->options, estimate,
                                   triad_case_real(r->sim.given, "output.checkpoint_wall_interval"));
  return triad_agree(comm, st);
}

static void describe(const triad_loop *r)
{
  int ranks = r->sim.context->comm.size, threads = r->sim.context->threads;
  r->sim.solver->describe(r->sim.flow, r->log);
  triad_log_info(r->log, "%d rank%s of %d thread%s; %.1f MB on rank 0; output directory %s", ranks,
                 ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
                 1e-6 * (double)triad_memory_held(r->sim.context->memory), r->options->dir);
}

static int told_to_begin(const triad_loop *r, const triad_manifest *found, const char *source, const triad_instant *at,
                         int done)
{
  const triad_run_hooks *hooks = &r->options->hooks;
  return hooks->begin ? hooks->begin(hooks->who, found, source, at, done) : TRIAD_OK;
}

/* A branch that keeps its time may begin behind its end. */
static void warn_of_start(const triad_loop *r)
{
  const triad_progress *p = &r->progress;
  if (r->at->t > p->end * (1 + 1e-12))
    triad_log_warning(r->log, "the run starts at t = %g, but time.end is %g: no step is computed", r->at->t, p->end);
  else if (p->max_steps > 0 && r->at->step >= p->max_steps)
    triad_log_warning(r->log,
                      "the run starts at step %" PRId64 ", but time.max_steps is %" PRId64 ": no step is computed",
                      r->at->step, p->max_steps);
}

/* Before anything is written the command has its turn. */
static int begin(triad_loop *r, const char *folder, const triad_manifest *found)
{
  char source[TRIAD_PATH] = "";
  TRIAD_TRY(make_flow(r));
  describe(r);
  if (found) TRIAD_TRY(triad_loop_resume(r, folder, found));
  else TRIAD_TRY(triad_simulation_start(&r->sim, r->log, source));
  if (!found) TRIAD_TRY(triad_loop_check_state(r, "initial"));
  if (!found) warn_of_start(r);
  TRIAD_TRY(triad_agree(&r->sim.context->comm,
                        triad_conservation_create(&r->out.conservation, &r->sim, &r->out.info, r->out.notes, found)));
  TRIAD_TRY(triad_means_open(&r->out.means, &r->sim, &r->out.info, folder, found, r->log));
  TRIAD_TRY(triad_run_strict(&r->sim.context->comm, r->options));
  return told_to_begin(r, found, source, r->at, found && triad_loop_is_last(&r->progress, found->step, found->t));
}

/* Does this case end only when the flow no longer changes? The goal in words. */
static int has_goal(const triad_loop *r, const void *flow, char *text, size_t size)
{
  return r->sim.solver->steady && r->sim.solver->steady->goal(r->sim.given, flow, text, size);
}

static int leave_finished(triad_loop *r, const triad_manifest *found)
{
  const triad_instant at = {found->step, found->t, found->dt};
  char goal[160];
  TRIAD_TRY(told_to_begin(r, found, "", &at, 1));
  if (!triad_notes_has(found->notes, "settled") && has_goal(r, NULL, goal, sizeof goal)) {
    r->missed = 1;
    triad_log_warning(r->log,
                      "not converged: the run reached time.max_steps, step %" PRId64
                      ", but not %s; a larger time.max_steps continues it",
                      at.step, goal);
    return TRIAD_STOPPED;
  }
  triad_log_info(r->log, "already finished: t = %g, step %" PRId64 "; a later time.end continues it", at.t, at.step);
  return TRIAD_OK;
}

/* *done: nothing was left to do, and no flow was made. stays: one is made all the same. */
static int make_and_begin(triad_loop *r, int stays, int *done)
{
  const triad_comm *comm = &r->sim.context->comm;
  const triad_run_hooks *hooks = &r->options->hooks;
  char folder[TRIAD_PATH] = "";
  triad_manifest *found = NULL;
  int st = triad_watchdog_create(&r->sim.context->watch, comm->rank, triad_case_real(r->sim.given, "output.watchdog"));
  TRIAD_TRY(triad_agree(comm, st));
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_FILES, "looking for a checkpoint to resume from");
  st = triad_loop_find(r, folder, &found);
  triad_watchdog_end(r->sim.context->watch);
  r->resumed = found != NULL;
  if (st == TRIAD_OK && found) st = triad_loop_follow_found(r, found);
  *done = found && triad_loop_is_last(&r->progress, found->step, found->t) && !stays;
  if (st == TRIAD_OK && found) st = triad_agree(comm, triad_loop_check_found(r, folder, found));
  if (st == TRIAD_OK && hooks->consider) st = hooks->consider(hooks->who, found);
  if (st == TRIAD_OK) st = *done ? leave_finished(r, found) : begin(r, folder, found);
  triad_manifest_destroy(&found);
  return st;
}

/* ---- the loop in parts ---- */

int triad_loop_begin(triad_loop **out, triad_context *context, const triad_case *given,
                     const triad_run_options *options, int stays, int *done)
{
  triad_loop *r = calloc(1, sizeof *r);
  *done = 0;
  *out = NULL; /* on all ranks, as long as one has none */
  int st = triad_agree(&context->comm, r ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the time loop"));
  if (st != TRIAD_OK) {
    free(r);
    return st;
  }
  *out = r;
  r->sim = (triad_simulation){.context = context, .given = given};
  r->options = options;
  r->changes = options->changes;
  r->log = options->log;
  r->land_on = INFINITY;
  read_case(r);
  return make_and_begin(r, stays, done);
}

int triad_loop_open(triad_loop *r)
{
  const triad_comm *comm = &r->sim.context->comm;
  if (r->is_open) return TRIAD_OK;
  r->is_open = 1;
  const int64_t resumed = r->resumed ? r->at->step : -1;
  TRIAD_TRY(triad_series_open(&r->out.series, comm, &r->out.info, r->options->dir, "series", resumed, r->changes));
  triad_series_log(r->out.series, r->log);
  TRIAD_TRY(triad_probe_rows_open(&r->out.probes, &r->sim, r->options->dir, resumed, r->log));
  if (r->resumed) TRIAD_TRY(triad_outputs_resumed(&r->out, r->at));
  else TRIAD_TRY(triad_outputs_due(&r->out, r->at, 0, 1, triad_loop_finished(r)));
  return triad_run_strict(comm, r->options);
}

int triad_loop_step(triad_loop *r, double land_on)
{
  if (triad_loop_finished(r)) return TRIAD_OK;
  const int first = r->stop.steps == 0;
  r->land_on = land_on;
  int st = first && !r->options->looked ? triad_loop_follow(r) : TRIAD_OK;
  if (st == TRIAD_OK) st = triad_loop_blown(r, triad_loop_advance(r));
  return st == TRIAD_OK && first ? triad_run_strict(&r->sim.context->comm, r->options) : st;
}

int triad_loop_save(triad_loop *r)
{
  int saved = 0;
  TRIAD_TRY(triad_loop_open(r));
  if (!r->stop.why) r->stop.why = "the calling program";
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  return saved ? TRIAD_OK : TRIAD_ERR_IO;
}

int triad_loop_last(triad_loop *r)
{
  char goal[160];
  if (triad_loop_settled(r) >= 1) triad_log_info(r->log, "the flow is steady, at step %" PRId64, r->at->step);
  else if (has_goal(r, r->sim.flow, goal, sizeof goal)) {
    r->missed = 1;
    triad_log_warning(
      r->log, "not converged after %" PRId64 " steps: %s; the same command with a larger time.max_steps continues",
      r->at->step, goal);
  }
  return triad_outputs_last(&r->out);
}

int triad_loop_missed(const triad_loop *r) { return r->missed; }

const triad_simulation *triad_loop_simulation(const triad_loop *r) { return &r->sim; }

const triad_step *triad_loop_last_step(const triad_loop *r) { return &r->step; }

const triad_series_info *triad_loop_columns(const triad_loop *r) { return &r->out.info; }

int triad_loop_column(triad_loop *r, const triad_column_info *column)
{
  triad_outputs *o = &r->out;
  size_t n = (size_t)o->info.n;
  double *numbers = realloc(o->columns, (n + 2) * sizeof *numbers);
  if (numbers) o->columns = numbers;
  triad_column_info *list = malloc((n + 1) * sizeof *list);
  if (!numbers || !list) {
    free(list);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a column of the series");
  }
  (void)memcpy(list, o->info.columns, n * sizeof *list);
  list[n] = *column;
  free(r->columns);
  o->info.columns = r->columns = list;
  o->info.n++;
  o->n_added++;
  return TRIAD_OK;
}

void triad_loop_outdated(triad_loop *r) { r->out.outdated = 1; }

void triad_loop_changed(triad_loop *r)
{
  r->out.outdated = 1;
  triad_conservation_restart(r->out.conservation);
}

void triad_loop_keep_flow(triad_loop *r) { r->sim.solver = NULL; }

int triad_loop_end(triad_loop **loop_of, int st)
{
  triad_loop *r = *loop_of;
  if (!r) return st;
  triad_watchdog_destroy(&r->sim.context->watch);
  (void)triad_loop_blown(r, st);
  if (st == TRIAD_STOPPED && !r->missed)
    triad_log_info(r->log, "stopped by %s at step %" PRId64 ", t = %g; the same command resumes",
                   r->stop.why ? r->stop.why : "a signal to another rank", r->at->step, r->at->t);
  if (st != TRIAD_LOOP_CHANGED) triad_stop_requests_end(&r->stop);
  if (st != TRIAD_LOOP_CHANGED) triad_limits_tell(r->out.limits, r->log);
  triad_limits_destroy(&r->out.limits);
  triad_conservation_destroy(&r->out.conservation);
  if (st != TRIAD_LOOP_CHANGED && r->at && r->options->hooks.ended)
    r->options->hooks.ended(r->options->hooks.who, r->at);
  triad_series_close(&r->out.series);
  triad_probe_rows_close(&r->out.probes);
  triad_means_close(&r->out.means);
  triad_notes_destroy(&r->out.notes);
  if (r->sim.solver) r->sim.solver->destroy(&r->sim.flow);
  free(r->columns);
  free(r->out.columns);
  free(r);
  *loop_of = NULL;
  return st;
}
