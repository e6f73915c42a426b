#include "run/loop/run.h"

#include "base/clock.h"
#include "base/version.h"
#include "run/loop/driver.h"
#include "run/loop/schedule.h"
#include "run/loop/series.h"
#include "run/store/find.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loop {
  triad_context *context;
  const triad_case *given;
  const triad_run_options *options;
  triad_log *log;
  const triad_driver *driver;
  void *flow;
  triad_instant at; /* where the flow is */
  triad_columns_info info;
  double *columns; /* [info.n] as last measured */
  triad_series *series;
  triad_notes *notes;
  double end, series_interval, spectra_interval, fields_interval, checkpoint_interval;
  int64_t max_steps, saved_step; /* saved_step: of the newest checkpoint, -1 for none */
  double step_s; /* recent time of a step */
  triad_step step;
} loop;

static void read_case(loop *r)
{
  const triad_case *c = r->given;
  r->end = triad_case_real(c, "time.end");
  r->max_steps = triad_case_integer(c, "time.max_steps");
  r->series_interval = triad_case_real(c, "output.series_interval");
  r->spectra_interval = triad_case_real(c, "output.spectra_interval");
  r->fields_interval = triad_case_real(c, "output.fields_interval");
  r->checkpoint_interval = triad_case_real(c, "output.checkpoint_interval");
  r->step = (triad_step){.dt = triad_case_real(c, "time.dt"),
                         .cfl = triad_case_real(c, "time.cfl"),
                         .dt_max = triad_case_real(c, "time.dt_max")};
  r->saved_step = -1;
}

/* What travels with every file of the run: where it came from. */
static int make_notes(loop *r)
{
  char *text = NULL;
  size_t size = 0;
  TRIAD_TRY(triad_notes_create(&r->notes));
  TRIAD_TRY(triad_notes_set_text(r->notes, "version", triad_version()));
  TRIAD_TRY(triad_notes_set_text(r->notes, "commit", triad_commit()));
  FILE *f = open_memstream(&text, &size);
  if (!f) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case as text");
  int st = triad_case_write_resolved(r->given, f);
  if (fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the case as text");
  if (st == TRIAD_OK) st = triad_notes_set_text(r->notes, "case", text);
  free(text);
  return st;
}

static int finished(const loop *r)
{
  return r->at.t >= r->end * (1 - 1e-12) || (r->max_steps > 0 && r->at.step >= r->max_steps);
}

static void tell_rejected(void *log, const char *name, const char *why)
{
  triad_log_warning(log, "checkpoint %s is passed over: %s", name, why);
}

/* Continue from the newest valid checkpoint of the run directory; *resumed tells whether there was one. */
static int resume(loop *r, int *resumed)
{
  const triad_comm *comm = &r->context->comm;
  char folder[TRIAD_PATH];
  triad_manifest *about = NULL;
  TRIAD_TRY(triad_checkpoint_find(comm, r->options->dir, tell_rejected, r->log, folder, &about));
  *resumed = about != NULL;
  if (!about) return TRIAD_OK;
  int st = TRIAD_OK;
  if (strcmp(about->solver, r->info.solver) != 0)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s, but the case asks for %s: give another --dir", folder,
                    about->solver, r->info.solver);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = r->driver->restore(r->flow, folder, about, r->log);
  if (st == TRIAD_OK) {
    r->at = r->driver->moment(r->flow);
    r->saved_step = r->at.step;
    triad_log_info(r->log, "resumed from %s: step %" PRId64 ", t = %g", folder, r->at.step, r->at.t);
  }
  triad_manifest_destroy(&about);
  return st;
}

static int save(loop *r)
{
  double begin = triad_now();
  if (r->at.step == r->saved_step) return TRIAD_OK;
  TRIAD_TRY(triad_series_sync(r->series));
  TRIAD_TRY(r->driver->checkpoint(r->flow, r->options->dir, r->notes));
  r->saved_step = r->at.step;
  triad_log_detail(r->log, "checkpoint of step %" PRId64 " in %.2f s", r->at.step, triad_now() - begin);
  return TRIAD_OK;
}

/* Measured at most once a step, whoever needs it. */
static int measure(loop *r, int *measured)
{
  if (*measured) return TRIAD_OK;
  TRIAD_TRY(r->driver->measure(r->flow, r->columns));
  *measured = 1;
  return TRIAD_OK;
}

/* Write what is due after the step that began at `before`; everything on the first visit and at the end. */
static int write_due(loop *r, double before, int first)
{
  const double t = r->at.t;
  int last = finished(r), measured = 0;
  int series = first || last || r->series_interval <= 0 || triad_due(r->series_interval, before, t);
  int spectra = r->spectra_interval > 0 && (first || last || triad_due(r->spectra_interval, before, t));
  int fields = r->fields_interval > 0 && (first || last || triad_due(r->fields_interval, before, t));
  int checkpoint = last || triad_due(r->checkpoint_interval, before, t);
  if (series) {
    TRIAD_TRY(measure(r, &measured));
    TRIAD_TRY(triad_series_write(r->series, &r->at, r->columns));
  }
  if (spectra) {
    TRIAD_TRY(measure(r, &measured));
    TRIAD_TRY(r->driver->spectra(r->flow, r->options->dir, r->columns, r->notes));
  }
  if (fields) TRIAD_TRY(r->driver->fields(r->flow, r->options->dir, r->notes));
  return checkpoint ? save(r) : TRIAD_OK;
}

static void show_progress(const loop *r, int final)
{
  const triad_instant *at = &r->at;
  char text[240];
  double left = fmax(0, r->end - at->t), steps = at->dt > 0 ? ceil(left / at->dt * (1 - 1e-9)) : 0;
  double done = r->end > 0 ? at->t / r->end : 1;
  if (r->max_steps > 0 && (double)at->step + steps > (double)r->max_steps) {
    steps = (double)(r->max_steps - at->step);
    done = (double)at->step / (double)r->max_steps;
  }
  int64_t eta = (int64_t)(steps * r->step_s);
  (void)snprintf(text, sizeof text,
                 "step %" PRId64 "/%.0f  t %.4g  dt %.2e  CFL %.2f  E %.4g  %.3g ms/step  %.0f%%  ETA %02" PRId64
                 ":%02" PRId64 ":%02" PRId64,
                 at->step, (double)at->step + steps, at->t, at->dt, at->dt * r->step.advection_rate,
                 r->columns[0], 1e3 * r->step_s, 100 * fmin(done, 1), eta / 3600, eta / 60 % 60, eta % 60);
  triad_log_progress(r->log, text, final);
}

static void explain_blow_up(const loop *r)
{
  const triad_instant *at = &r->at;
  triad_log_clear(r->log);
  triad_log_error(r->log, "blow-up: after step %" PRId64 " (t = %g, dt = %g) a value is not finite", at->step,
                  at->t, at->dt);
  if (r->saved_step >= 0)
    triad_log_error(r->log, "the last good checkpoint is of step %" PRId64 "; the same command resumes from it",
                    r->saved_step);
  triad_log_error(r->log, "try a smaller %s, or a finer grid if kmax_eta in series.csv has fallen below 1",
                  r->step.dt > 0 ? "time.dt" : "time.cfl");
}

static double landing(const loop *r)
{
  double t = r->at.t, next = r->end;
  if (r->step.dt > 0) return next; /* a fixed step is fixed: outputs come at the first step past their time */
  /* series rows carry their own t, and are too frequent to cut steps for */
  next = fmin(next, triad_next(r->spectra_interval, t));
  next = fmin(next, triad_next(r->fields_interval, t));
  return fmin(next, triad_next(r->checkpoint_interval, t));
}

static int advance(loop *r)
{
  double begin = triad_now(), before = r->at.t;
  r->step.land_on = landing(r);
  r->step.request = *r->options->request;
  TRIAD_TRY(r->driver->advance(r->flow, &r->step));
  r->at = r->driver->moment(r->flow);
  double took = triad_now() - begin;
  r->step_s = r->step_s > 0 ? 0.9 * r->step_s + 0.1 * took : took;
  TRIAD_TRY(write_due(r, before, 0));
  show_progress(r, finished(r));
  if (r->step.requested == TRIAD_REQUEST_NONE || finished(r)) return TRIAD_OK;
  TRIAD_TRY(save(r));
  if (r->step.requested == TRIAD_REQUEST_STOP) return TRIAD_STOPPED;
  if (*r->options->request == TRIAD_REQUEST_SAVE) *r->options->request = TRIAD_REQUEST_NONE;
  triad_log_info(r->log, "saved as asked, at step %" PRId64, r->at.step);
  return TRIAD_OK;
}

static void describe(const loop *r)
{
  int ranks = r->context->comm.size, threads = r->context->threads;
  r->driver->describe(r->flow, r->log);
  triad_log_info(r->log, "%d rank%s of %d thread%s; %.1f MB on rank 0; files go to %s", ranks, ranks == 1 ? "" : "s",
                 threads, threads == 1 ? "" : "s", 1e-6 * (double)triad_memory_held(r->context->memory),
                 r->options->dir);
}

static int make_flow(loop *r)
{
  TRIAD_TRY(triad_agree(&r->context->comm, triad_driver_find(&r->driver, r->given)));
  TRIAD_TRY(r->driver->create(&r->flow, r->context, r->given, r->options->dir));
  r->driver->columns(r->flow, &r->info);
  r->columns = calloc((size_t)r->info.n + 1, sizeof *r->columns);
  int st = r->columns ? make_notes(r) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the columns of the series");
  return triad_agree(&r->context->comm, st);
}

static int work(loop *r)
{
  int resumed = 0;
  TRIAD_TRY(make_flow(r));
  describe(r);
  TRIAD_TRY(resume(r, &resumed));
  if (resumed && finished(r)) {
    triad_log_info(r->log, "already finished: t = %g, step %" PRId64 "; a later time.end continues it", r->at.t,
                   r->at.step);
    return TRIAD_OK;
  }
  if (!resumed) TRIAD_TRY(r->driver->initial(r->flow, r->log));
  TRIAD_TRY(triad_series_open(&r->series, &r->context->comm, &r->info, r->options->dir, resumed ? r->at.step : -1));
  if (!resumed) TRIAD_TRY(write_due(r, 0, 1));
  while (!finished(r)) TRIAD_TRY(advance(r));
  return TRIAD_OK;
}

int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options)
{
  loop r = {.context = context, .given = given, .options = options, .log = options->log};
  read_case(&r);
  int st = work(&r);
  if (st == TRIAD_ERR_BLOWUP) explain_blow_up(&r);
  if (st == TRIAD_STOPPED)
    triad_log_info(r.log, "stopped as asked at step %" PRId64 ", t = %g; the same command resumes", r.at.step,
                   r.at.t);
  triad_series_close(&r.series);
  triad_notes_destroy(&r.notes);
  if (r.driver) r.driver->destroy(&r.flow);
  free(r.columns);
  return st;
}
