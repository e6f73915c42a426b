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

/* A flow whose steps have become too short to reach the end by is over: this many of them, in a row, each so short that
 * more than MOST_STEPS would be needed, which is 30 years at 10 us a step. */
enum { MOST_TINY = 100, CHANGED = -1 /* no failure: the loop goes on with another case */ };
static const double MOST_STEPS = 1e14;

typedef struct triad_loop loop;

struct triad_loop {
  triad_simulation sim;
  const triad_run_options *options;
  const triad_case *next; /* the case to go on with, NULL: this one */
  int changes;            /* how often it has changed */
  int64_t grid[3];        /* or of as many points, for a reason; grid[0] = 0: as they are */
  char why[192];
  triad_log *log;
  const triad_instant *at; /* where the flow is */
  triad_step step;
  const char *limit; /* of the step before */
  int doubted;       /* a step was too long, which has been told */
  int tiny, stuck;   /* steps in a row that come to no end; there were too many, or a blow-up has been told */
  triad_progress progress;
  triad_status status;
  triad_stop_requests stop;
  triad_outputs out;
  double land_on;              /* for who drives it: a time not to be stepped over; infinity: none */
  int resumed, is_open;
  triad_column_info *columns;  /* [out.info.n] where columns have been added, else NULL */
};

static void read_case(loop *r)
{
  const triad_case *c = r->sim.given;
  r->progress = (triad_progress){.end = triad_case_real(c, "time.end"),
                                 .max_steps = triad_case_integer(c, "time.max_steps")};
  r->step = (triad_step){.dt = triad_case_real(c, "time.dt"),
                         .cfl = triad_case_real(c, "time.cfl"),
                         .dt_max = triad_case_real(c, "time.dt_max")};
  r->out = (triad_outputs){.sim = r->sim, .dir = r->options->dir, .log = r->log,
                           .stop = &r->stop, .saved_step = -1, .hooks = &r->options->hooks};
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

static int is_last(const triad_progress *p, int64_t step, double t)
{
  return t >= p->end * (1 - 1e-12) || (p->max_steps > 0 && step >= p->max_steps);
}

static double settled(const loop *r) { return r->sim.solver->settled ? r->sim.solver->settled(r->sim.flow) : 0; }

static int finished(const loop *r) { return is_last(&r->progress, r->at->step, r->at->t) || settled(r) >= 1; }

/* ---- where to go on from ---- */

/* *good: has series.csv the rows that the checkpoint has seen? On rank 0; *have: how many it has up to there. */
static int has_rows(const loop *r, const triad_manifest *about, int64_t *wanted, int64_t *have, int *good)
{
  *wanted = *have = 0;
  *good = 1;
  if (!triad_outputs_rows_seen(about->notes, wanted)) return TRIAD_OK; /* an earlier version did not note it */
  TRIAD_TRY(triad_series_count(r->options->dir, about->step, have));
  *good = *have >= *wanted;
  return TRIAD_OK;
}

/* The newest valid checkpoint; or, where rows of the series that it has seen are gone, the newest one before it that
 * misses none, so that they are made again. *about is NULL where there is no checkpoint. */
static int find(loop *r, char folder[TRIAD_PATH], triad_manifest **about)
{
  const triad_comm *comm = &r->sim.context->comm;
  const char *dir = r->options->dir;
  int64_t newest = INT64_MAX, below = INT64_MAX, wanted = 0, have = 0;
  *about = NULL;
  if (r->options->from_start) return TRIAD_OK;
  for (int good = 0; !good;) {
    triad_manifest_destroy(about);
    TRIAD_TRY(triad_checkpoint_find_below(comm, dir, below, below == INT64_MAX ? triad_checkpoint_warn : NULL, r->log,
                                          folder, about));
    if (!*about) break;
    TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? has_rows(r, *about, &wanted, &have, &good) : TRIAD_OK));
    TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&good, 1, MPI_INT, 0, comm->mpi)));
    if (newest == INT64_MAX) newest = (*about)->step;
    if (!good && below == INT64_MAX)
      triad_log_warning(r->log, "series.csv has %" PRId64 " of the %" PRId64 " rows that checkpoint step-%08" PRId64
                        " has seen: they are lost", have, wanted, newest);
    below = (*about)->step;
    if (good && below < newest)
      triad_log_warning(r->log, "going back to step %" PRId64 ", so that they are made again", below);
  }
  if (*about || newest == INT64_MAX) return TRIAD_OK;
  triad_log_warning(r->log, "no older checkpoint has all of its rows: the series goes on with a gap; --from-start "
                            "makes them all again");
  return triad_checkpoint_find_below(comm, dir, newest + 1, NULL, NULL, folder, about);
}

/* What cannot be right whatever the flow, before it is made; the rest is seen when the checkpoint is read. */
static int check_found(const loop *r, const char *folder, const triad_manifest *about)
{
  const char *solver = triad_case_word(r->sim.given, "equations.solver");
  double length[3];
  if (strcmp(about->solver, solver) != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s, but the case asks for %s: give another --dir", folder,
                      about->solver, solver);
  if (about->points) return TRIAD_OK;
  triad_case_reals(r->sim.given, "grid.length", length, 3);
  for (int i = 0; i < 3; i++)
    if (length[i] != about->grid.length[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its box has length %.17g along %c, the case asks for %.17g: give another "
                                        "--dir", folder, about->grid.length[i], "xyz"[i], length[i]);
  return TRIAD_OK;
}

static int resume(loop *r, const char *folder, const triad_manifest *about)
{
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_FILES, "reading the checkpoint to resume from");
  TRIAD_TRY(triad_simulation_resume(&r->sim, folder, about, r->log));
  triad_watchdog_end(r->sim.context->watch);
  r->out.saved_step = r->at->step;
  triad_log_info(r->log, "resumed from %s: step %" PRId64 ", t = %g", folder, r->at->step, r->at->t);
  return TRIAD_OK;
}

static int has_column(const triad_series_info *info, const char *name)
{
  for (int i = 0; i < info->n; i++)
    if (strcmp(info->columns[i].name, name) == 0) return 1;
  return 0;
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
  triad_log_error(r->log, "try a smaller %s, or a finer grid%s", r->step.dt > 0 ? "time.dt" : "time.cfl",
                  has_column(&r->out.info, "kmax_eta") ? " if kmax_eta in series.csv has fallen below 1" : "");
}

/* `triad set`: the flow is made anew from the checkpoint that stands, with the case that the command makes of it, which
 * is what a stop and a start would do. */
static int change_case(loop *r, int saved)
{
  const triad_run_hooks *hooks = &r->options->hooks;
  const triad_case *given = r->sim.given;
  if (!hooks->change) return TRIAD_OK;
  TRIAD_TRY(hooks->change(hooks->who, saved, r->at, &given, &r->changes));
  if (given == r->sim.given) return TRIAD_OK;
  r->next = given;
  return CHANGED;
}

static const triad_follow_part *follows(const loop *r)
{
  const triad_follow_part *f = r->sim.solver->follow;
  return f && r->options->hooks.regrid && !r->options->keeps_grid && f->asked(r->sim.given) ? f : NULL;
}

/* Does another grid serve the flow better? It is made anew there, from the checkpoint that stands, as after a stop. */
static int follow(loop *r)
{
  int saved = 0;
  const triad_follow_part *f = follows(r);
  if (!f || finished(r)) return TRIAD_OK;
  TRIAD_TRY(f->look(r->sim.flow, r->log, r->grid, r->why, sizeof r->why));
  if (r->grid[0] == 0) return TRIAD_OK;
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  if (saved) return CHANGED;
  r->grid[0] = 0; /* the disk does not take it: the next look asks again */
  return TRIAD_OK;
}

/* A start goes on on the grid of its checkpoint, whatever the case began with. */
static int follow_found(loop *r, const triad_manifest *found)
{
  int64_t n[3];
  TRIAD_TRY(triad_agree(&r->sim.context->comm, triad_solver_find(&r->sim.solver, r->sim.given)));
  const int same = r->options->goes_on || !follows(r) || found->points;
  if (!same) triad_case_integers(r->sim.given, "grid.n", n, 3);
  if (same || memcmp(n, found->grid.n, sizeof n) == 0) return TRIAD_OK;
  memcpy(r->grid, found->grid.n, sizeof n);
  return CHANGED;
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
  return r->step.requested == TRIAD_REQUEST_SET ? change_case(r, saved) : TRIAD_OK;
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

/* Does t move? A step that a case gives itself (time.dt) is its own business as long as it does. */
static int check_step(loop *r, double before)
{
  int chosen = r->step.dt <= 0 && r->progress.max_steps == 0, still = r->at->t <= before;
  int tiny = still || (chosen && (r->progress.end - before) / r->at->dt > MOST_STEPS);
  r->tiny = tiny && !finished(r) ? r->tiny + 1 : 0;
  if (!still && r->tiny < MOST_TINY) return TRIAD_OK;
  if (still && finished(r)) return TRIAD_OK;
  r->stuck = 1;
  triad_log_clear(r->log);
  if (still)
    triad_log_error(r->log, "at step %" PRId64 " dt = %g no longer moves t = %g", r->at->step, r->at->dt, r->at->t);
  else
    triad_log_error(r->log, "at step %" PRId64 " (t = %g) dt has been so short for %d steps, %g now, that more than "
                            "%g of them would be needed to the end", r->at->step, r->at->t, MOST_TINY, r->at->dt,
                    MOST_STEPS);
  triad_log_error(r->log, "dt is set by %s: the flow is too fast for its grid, or its numbers are near overflow",
                  r->step.limit ? r->step.limit : "the case");
  return TRIAD_ERR_BLOWUP;
}

static int advance(loop *r)
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
  doubt_step(r);
  TRIAD_TRY(check_step(r, before));
  double took = triad_now() - begin;
  r->progress.settled = settled(r);
  if (r->progress.settled >= 1) TRIAD_TRY(triad_agree(&r->sim.context->comm, triad_notes_set_integer(r->out.notes, "settled", 1)));
  r->progress.step_s = r->progress.step_s > 0 ? 0.9 * r->progress.step_s + 0.1 * took : took;
  TRIAD_TRY(triad_outputs_due(&r->out, r->at, before, 0, finished(r)));
  r->stop.step_s = fmax(r->stop.step_s, triad_now() - begin);
  r->stop.steps++;
  triad_progress_show(&r->progress, r->log, r->at, r->step.advection_rate, r->out.columns[0], finished(r));
  triad_status_write(&r->status, &r->sim, r->options->dir, &r->progress, r->at, finished(r));
  if (finished(r)) return TRIAD_OK;
  if (r->step.requested != TRIAD_REQUEST_NONE) TRIAD_TRY(heed(r));
  return follow(r);
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
  return triad_agree(comm, st);
}

static int told_to_begin(const loop *r, const triad_manifest *found, const char *source, const triad_instant *at,
                         int done)
{
  const triad_run_hooks *hooks = &r->options->hooks;
  return hooks->begin ? hooks->begin(hooks->who, found, source, at, done) : TRIAD_OK;
}

/* Before anything is written the command has its turn. */
static int begin(loop *r, const char *folder, const triad_manifest *found)
{
  char source[TRIAD_PATH] = "";
  TRIAD_TRY(make_flow(r));
  describe(r);
  if (found) TRIAD_TRY(resume(r, folder, found));
  else TRIAD_TRY(triad_simulation_start(&r->sim, r->log, source));
  TRIAD_TRY(triad_means_open(&r->out.means, &r->sim, &r->out.info, folder, found, r->log));
  TRIAD_TRY(triad_run_strict(&r->sim.context->comm, r->options));
  return told_to_begin(r, found, source, r->at, found && is_last(&r->progress, found->step, found->t));
}

static int leave_finished(const loop *r, const triad_manifest *found)
{
  const triad_instant at = {found->step, found->t, found->dt};
  TRIAD_TRY(told_to_begin(r, found, "", &at, 1));
  triad_log_info(r->log, "already finished: t = %g, step %" PRId64 "; a later time.end continues it", at.t, at.step);
  return TRIAD_OK;
}

/* *done: nothing was left to do, and no flow was made. stays: one is made all the same. */
static int make_and_begin(loop *r, int stays, int *done)
{
  const triad_comm *comm = &r->sim.context->comm;
  const triad_run_hooks *hooks = &r->options->hooks;
  char folder[TRIAD_PATH] = "";
  triad_manifest *found = NULL;
  int st = triad_watchdog_create(&r->sim.context->watch, comm->rank, triad_case_real(r->sim.given, "output.watchdog"));
  TRIAD_TRY(triad_agree(comm, st));
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_FILES, "looking for a checkpoint to resume from");
  st = find(r, folder, &found);
  triad_watchdog_end(r->sim.context->watch);
  r->resumed = found != NULL;
  if (st == TRIAD_OK && found) st = follow_found(r, found);
  *done = found && is_last(&r->progress, found->step, found->t) && !stays;
  if (st == TRIAD_OK && found) st = triad_agree(comm, check_found(r, folder, found));
  if (st == TRIAD_OK && hooks->consider) st = hooks->consider(hooks->who, found);
  if (st == TRIAD_OK) st = *done ? leave_finished(r, found) : begin(r, folder, found);
  triad_manifest_destroy(&found);
  return st;
}

/* A blow-up is explained once; who goes on in spite of it is told no more. */
static int blown(loop *r, int st)
{
  if (st == TRIAD_ERR_BLOWUP && !r->stuck) explain_blow_up(r);
  r->stuck |= st == TRIAD_ERR_BLOWUP;
  return st;
}

/* ---- the loop in parts ---- */

int triad_loop_begin(triad_loop **out, triad_context *context, const triad_case *given, const triad_run_options *options,
                     int stays, int *done)
{
  loop *r = calloc(1, sizeof *r);
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
  else TRIAD_TRY(triad_outputs_due(&r->out, r->at, 0, 1, finished(r)));
  return triad_run_strict(comm, r->options);
}

int triad_loop_step(triad_loop *r, double land_on)
{
  if (finished(r)) return TRIAD_OK;
  const int first = r->stop.steps == 0;
  r->land_on = land_on;
  int st = blown(r, advance(r));
  return st == TRIAD_OK && first ? triad_run_strict(&r->sim.context->comm, r->options) : st;
}

int triad_loop_save(triad_loop *r)
{
  int saved = 0;
  TRIAD_TRY(triad_loop_open(r));
  if (!r->stop.why) r->stop.why = "who drives it";
  TRIAD_TRY(triad_outputs_save(&r->out, r->at, &saved));
  return saved ? TRIAD_OK : TRIAD_ERR_IO;
}

int triad_loop_finished(const triad_loop *r) { return finished(r); }

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

void triad_loop_keep_flow(triad_loop *r) { r->sim.solver = NULL; }

int triad_loop_end(triad_loop **loop_of, int st)
{
  loop *r = *loop_of;
  if (!r) return st;
  triad_watchdog_destroy(&r->sim.context->watch);
  (void)blown(r, st);
  if (st == TRIAD_STOPPED)
    triad_log_info(r->log, "stopped by %s at step %" PRId64 ", t = %g; the same command resumes",
                   r->stop.why ? r->stop.why : "a signal to another rank", r->at->step, r->at->t);
  if (st != CHANGED) triad_limits_tell(r->out.limits, r->log);
  triad_limits_destroy(&r->out.limits);
  if (st != CHANGED && r->at && r->options->hooks.ended) r->options->hooks.ended(r->options->hooks.who, r->at);
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

static int work(loop *r)
{
  TRIAD_TRY(triad_loop_open(r));
  if (!r->options->looked) TRIAD_TRY(follow(r));
  if (!finished(r)) TRIAD_TRY(advance(r));
  TRIAD_TRY(triad_run_strict(&r->sim.context->comm, r->options));
  while (!finished(r)) TRIAD_TRY(advance(r));
  return triad_loop_last(r);
}

int triad_loop_last(triad_loop *r)
{
  if (settled(r) >= 1) triad_log_info(r->log, "the flow has settled, at step %" PRId64, r->at->step);
  return triad_outputs_last(&r->out);
}

int triad_run_strict(const triad_comm *comm, const triad_run_options *o)
{
  int n = o->strict ? triad_log_warnings(o->log) : 0;
  return triad_agree(comm, n > 0 ? TRIAD_FAIL(TRIAD_ERR_CASE, "--strict: %d warning%s", n, n > 1 ? "s" : "") : TRIAD_OK);
}

/* The case to go on with; where it stays, so does the grid from now on. */
static int take_grid(triad_run_options *now, const int64_t n[3], const char *why, const triad_instant *at,
                     const triad_case **next)
{
  const triad_case *was = *next;
  TRIAD_TRY(now->hooks.regrid(now->hooks.who, n, why, at, next));
  now->keeps_grid = *next == was;
  return CHANGED;
}

/* What comes after the first case is no start: nothing is compared with the directory, and warnings have had their say. */
static void no_start(triad_run_options *now)
{
  now->hooks.consider = NULL;
  now->hooks.begin = NULL;
  now->strict = now->from_start = 0;
  now->goes_on = 1;
}

/* One case until the end, or until another is to be taken: CHANGED. */
static int run_one(triad_context *context, const triad_case **given, triad_run_options *now)
{
  loop *r;
  int done = 0, st = triad_loop_begin(&r, context, *given, now, 0, &done);
  if (st == TRIAD_OK && !done) st = work(r);
  if (st != CHANGED) return triad_loop_end(&r, st);
  const triad_case *next = r->next;
  const int begun = r->at != NULL, changes = r->changes;
  const triad_instant at = begun ? *r->at : (triad_instant){0};
  const int64_t n[3] = {r->grid[0], r->grid[1], r->grid[2]};
  char why[sizeof r->why];
  (void)memcpy(why, r->why, sizeof why);
  (void)triad_loop_end(&r, st);
  if (begun) no_start(now);
  now->looked = begun && n[0] > 0;
  if (n[0] > 0) return take_grid(now, n, why, begun ? &at : NULL, given);
  *given = next;
  now->changes = changes;
  return CHANGED;
}

int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options)
{
  triad_run_options now = *options;
  int st;
  do st = run_one(context, &given, &now);
  while (st == CHANGED);
  return st;
}
