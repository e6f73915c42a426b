#include "run/run.h"

#include "base/clock.h"
#include "base/version.h"
#include "run/outputs.h"
#include "store/find.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loop {
  triad_simulation sim;
  const triad_run_options *options;
  triad_log *log;
  const triad_instant *at; /* where the flow is */
  triad_step step;
  const char *limit; /* of the step before */
  int doubted;       /* a step was too long, which has been told */
  triad_progress progress;
  triad_stop_requests stop;
  triad_outputs out;
} loop;

static void read_case(loop *r)
{
  const triad_case *c = r->sim.given;
  r->progress = (triad_progress){.end = triad_case_real(c, "time.end"),
                                 .max_steps = triad_case_integer(c, "time.max_steps")};
  r->step = (triad_step){.dt = triad_case_real(c, "time.dt"),
                         .cfl = triad_case_real(c, "time.cfl"),
                         .dt_max = triad_case_real(c, "time.dt_max")};
  r->out = (triad_outputs){.sim = r->sim, .dir = r->options->dir, .log = r->log,
                           .stop = &r->stop, .saved_step = -1};
  triad_outputs_read(&r->out, c);
}

/* What travels with every file of the run: where it came from. */
static int make_notes(loop *r)
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

static int finished(const loop *r)
{
  const triad_progress *p = &r->progress;
  return r->at->t >= p->end * (1 - 1e-12) || (p->max_steps > 0 && r->at->step >= p->max_steps);
}

/* Continue from the newest valid checkpoint of the run directory; *resumed tells whether there was one. */
static int resume(loop *r, int *resumed)
{
  const triad_comm *comm = &r->sim.context->comm;
  const char *solver = r->out.info.solver;
  char folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_FILES, "looking for a checkpoint to resume from");
  TRIAD_TRY(triad_checkpoint_find(comm, r->options->dir, triad_checkpoint_warn, r->log, folder, &about));
  *resumed = about != NULL;
  if (!about) return TRIAD_OK;
  int st = TRIAD_OK;
  if (strcmp(about->solver, solver) != 0)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s, but the case asks for %s: give another --dir", folder,
                    about->solver, solver);
  st = triad_agree(comm, st);
  triad_watchdog_at(r->sim.context->watch, "reading the checkpoint to resume from");
  if (st == TRIAD_OK) st = triad_simulation_resume(&r->sim, folder, about, r->log);
  if (st == TRIAD_OK) {
    r->out.saved_step = r->at->step;
    triad_log_info(r->log, "resumed from %s: step %" PRId64 ", t = %g", folder, r->at->step, r->at->t);
  }
  triad_manifest_destroy(&about);
  return st;
}

static void explain_blow_up(loop *r)
{
  char where[256] = "";
  triad_log_clear(r->log);
  triad_log_error(r->log, "blow-up: after step %" PRId64 " (t = %g, dt = %g) a value is not finite", r->at->step,
                  r->at->t, r->at->dt);
  if (r->sim.solver->locate && r->sim.solver->locate(r->sim.flow, where, sizeof where) == TRIAD_OK && where[0])
    triad_log_error(r->log, "%s", where);
  if (r->out.saved_step >= 0)
    triad_log_error(r->log, "the last good checkpoint is of step %" PRId64 "; the same command resumes from it",
                    r->out.saved_step);
  else
    triad_log_error(r->log, "no checkpoint was written before it: output.checkpoint_interval sets how often one is");
  triad_log_error(r->log, "try a smaller %s, or a finer grid if kmax_eta in series.csv has fallen below 1",
                  r->step.dt > 0 ? "time.dt" : "time.cfl");
}

/* Saved, or not: what the request that all ranks now share comes to. */
static int heed(loop *r)
{
  int saved = 0;
  volatile sig_atomic_t *request = r->options->request;
  if (r->step.requested == TRIAD_REQUEST_GIVE_UP) {
    triad_log_error(r->log, "files could not be written for %g s: giving up at step %" PRId64 ", t = %g",
                    r->out.retry_limit, r->at->step, r->at->t);
    return TRIAD_ERR_IO;
  }
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  if (r->step.requested == TRIAD_REQUEST_STOP) return saved ? TRIAD_STOPPED : TRIAD_ERR_IO;
  if (*request == TRIAD_REQUEST_SAVE) {
    *request = TRIAD_REQUEST_NONE;
    if (saved) triad_log_info(r->log, "saved as asked, at step %" PRId64, r->at->step);
  }
  return TRIAD_OK;
}

/* Once for each process that comes to set the length of steps. */
static void tell_limit(loop *r)
{
  if (r->limit && strcmp(r->limit, r->step.limit) == 0) return;
  r->limit = r->step.limit;
  triad_log_detail(r->log, "from step %" PRId64 " on dt is set by %s", r->at->step, r->limit);
}

/* Once: a step that the scheme does not bear. Where it is cut so as to land on a time it may be any shorter. */
static void doubt_step(loop *r)
{
  if (r->doubted || !(r->step.bound > 0) || r->at->dt <= r->step.bound * 1.01) return;
  r->doubted = 1;
  triad_log_warning(r->log, "step %" PRId64 " of dt = %.3g is longer than the scheme is stable for, %.3g here: take a smaller %s",
                    r->at->step, r->at->dt, r->step.bound, r->step.dt > 0 ? "time.dt" : "time.cfl");
}

static int advance(loop *r)
{
  double begin = triad_now(), before = r->at->t;
  /* a fixed step is fixed: outputs come at the first step past their time */
  double landing = r->step.dt > 0 ? INFINITY : triad_outputs_landing(&r->out, before);
  r->step.land_on = fmin(r->progress.end, landing);
  r->step.request = triad_stop_requests_now(&r->stop);
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_STEP, "computing");
  TRIAD_TRY(r->sim.solver->advance(r->sim.flow, &r->step));
  triad_watchdog_end(r->sim.context->watch);
  tell_limit(r);
  doubt_step(r);
  double took = triad_now() - begin;
  r->progress.step_s = r->progress.step_s > 0 ? 0.9 * r->progress.step_s + 0.1 * took : took;
  TRIAD_TRY(triad_outputs_due(&r->out, r->at, before, 0, finished(r)));
  r->stop.step_s = fmax(r->stop.step_s, triad_now() - begin);
  r->stop.steps++;
  triad_progress_show(&r->progress, r->log, r->at, r->step.advection_rate, r->out.columns[0], finished(r));
  return r->step.requested == TRIAD_REQUEST_NONE || finished(r) ? TRIAD_OK : heed(r);
}

static void describe(const loop *r)
{
  int ranks = r->sim.context->comm.size, threads = r->sim.context->threads;
  r->sim.solver->describe(r->sim.flow, r->log);
  triad_log_info(r->log, "%d rank%s of %d thread%s; %.1f MB on rank 0; files go to %s", ranks, ranks == 1 ? "" : "s",
                 threads, threads == 1 ? "" : "s", 1e-6 * (double)triad_memory_held(r->sim.context->memory),
                 r->options->dir);
}

static int make_flow(loop *r)
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
  if (st == TRIAD_OK) st = triad_stop_requests_begin(&r->stop, comm, r->options, estimate);
  if (st == TRIAD_OK)
    st = triad_watchdog_create(&r->sim.context->watch, comm->rank, triad_case_real(r->sim.given, "output.watchdog"));
  return triad_agree(comm, st);
}

static int work(loop *r)
{
  int resumed = 0;
  TRIAD_TRY(make_flow(r));
  describe(r);
  TRIAD_TRY(resume(r, &resumed));
  triad_watchdog_end(r->sim.context->watch);
  if (resumed && finished(r)) {
    triad_log_info(r->log, "already finished: t = %g, step %" PRId64 "; a later time.end continues it", r->at->t,
                   r->at->step);
    return TRIAD_OK;
  }
  if (!resumed) TRIAD_TRY(triad_simulation_start(&r->sim, r->log));
  TRIAD_TRY(triad_series_open(&r->out.series, &r->sim.context->comm, &r->out.info, r->options->dir,
                              resumed ? r->at->step : -1));
  if (!resumed) TRIAD_TRY(triad_outputs_due(&r->out, r->at, 0, 1, finished(r)));
  TRIAD_TRY(triad_run_strict(&r->sim.context->comm, r->options));
  if (!finished(r)) TRIAD_TRY(advance(r));
  TRIAD_TRY(triad_run_strict(&r->sim.context->comm, r->options));
  while (!finished(r)) TRIAD_TRY(advance(r));
  return TRIAD_OK;
}

int triad_run_strict(const triad_comm *comm, const triad_run_options *o)
{
  int n = o->strict ? triad_log_warnings(o->log) : 0;
  return triad_agree(comm, n > 0 ? TRIAD_FAIL(TRIAD_ERR_CASE, "--strict: %d warning%s", n, n > 1 ? "s" : "") : TRIAD_OK);
}

int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options)
{
  loop r = {.sim = {.context = context, .given = given}, .options = options, .log = options->log};
  read_case(&r);
  int st = work(&r);
  triad_watchdog_destroy(&context->watch);
  if (st == TRIAD_ERR_BLOWUP) explain_blow_up(&r);
  if (st == TRIAD_STOPPED)
    triad_log_info(r.log, "stopped by %s at step %" PRId64 ", t = %g; the same command resumes",
                   r.stop.why ? r.stop.why : "a signal to another rank", r.at->step, r.at->t);
  triad_limits_tell(r.out.limits, r.log);
  triad_limits_destroy(&r.out.limits);
  triad_series_close(&r.out.series);
  triad_notes_destroy(&r.out.notes);
  if (r.sim.solver) r.sim.solver->destroy(&r.sim.flow);
  free(r.out.columns);
  return st;
}
