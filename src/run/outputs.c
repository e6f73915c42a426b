/* Decide after each step which files are due, write them, and keep those pending that the disk refuses. */
#include "run/outputs.h"

#include "base/clock.h"
#include "solvers/slice_list.h"
#include "store/checkpoint/commit.h"
#include "store/written.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SERIES, PROBES, MEANS, PARTICLES, SPECTRA, FIELDS, SLICES, CHECKPOINT, KINDS };

static const char *const kind_name[KINDS] = {"series",  "probes", "means",  "particles",
                                             "spectra", "fields", "slices", "checkpoint"};

/* Rows of probes and samples of means are due by functions of their own. */
static const char *const interval_key[KINDS] = {"output.series_interval",
                                                NULL,
                                                NULL,
                                                "output.particles_interval",
                                                "output.spectra_interval",
                                                "output.fields_interval",
                                                "output.slices_interval",
                                                "output.checkpoint_interval"};

void triad_outputs_read(triad_outputs *o, const triad_case *c)
{
  for (int k = 0; k < KINDS; k++)
    if (interval_key[k] && triad_case_applies(c, interval_key[k])) o->interval[k] = triad_case_real(c, interval_key[k]);
  o->last_slices = triad_slice_list_wanted(c);
  o->particles = triad_case_tables(c, "particles") > 0;
  o->retry_interval = triad_case_real(c, "output.retry_interval");
  o->retry_limit = triad_case_real(c, "output.retry_limit");
}

void triad_outputs_of(triad_outputs *o, const triad_simulation *sim)
{
  o->sim = *sim;
  if (!sim->solver->spectra) o->interval[SPECTRA] = 0;
  if (!sim->solver->slices) o->last_slices = 0;
  if (!o->last_slices) o->interval[SLICES] = 0;
  if (!sim->solver->particles) o->particles = 0;
  if (!o->particles) o->interval[PARTICLES] = 0;
}

/* The interval of a kind of files, 0 where the flow as it is makes none. */
static double interval_of(const triad_outputs *o, int kind)
{
  const triad_solver *solver = o->sim.solver;
  return kind == SPECTRA && solver && solver->has_spectra && !solver->has_spectra(o->sim.flow) ? 0 : o->interval[kind];
}

/* HDF5 is called from one thread at a time, and the last checkpoint of a run guarantees that its other files exist. */
static int wait_for_slices(const triad_outputs *o)
{
  return o->sim.solver->wait ? o->sim.solver->wait(o->sim.flow) : TRIAD_OK;
}

static const char rows_note[] = "series_rows";

int triad_outputs_rows_seen(const triad_notes *notes, int64_t *rows)
{
  for (int i = 0; i < notes->count; i++) {
    const triad_note_item *item = &notes->items[i];
    if (item->kind != TRIAD_NOTE_INTEGER || strcmp(item->name, rows_note) != 0) continue;
    *rows = item->integer;
    return 1;
  }
  return 0;
}

/* The run's notes, and how many rows there are: a resume then sees whether some are gone. */
static int save_with_rows(triad_outputs *o, int64_t rows)
{
  triad_notes *notes = NULL;
  triad_beside beside = {0};
  int st = triad_notes_copy(&notes, o->notes);
  if (st == TRIAD_OK) st = triad_notes_set_integer(notes, rows_note, rows);
  if (st == TRIAD_OK) st = triad_conservation_keep(o->conservation, notes);
  if (st == TRIAD_OK) st = triad_means_keep(o->means, &beside, notes);
  if (st == TRIAD_OK && o->hooks && o->hooks->keep) st = o->hooks->keep(o->hooks->who, notes);
  st = triad_agree(&o->sim.context->comm, st);
  if (st == TRIAD_OK) st = triad_simulation_checkpoint(&o->sim, o->dir, notes, &beside);
  triad_notes_destroy(&notes);
  free(beside.data);
  return st;
}

static void report_missing(void *log, const char *folder, int n, const char *name)
{
  triad_log_warning(log, "%d file%s of this run %s missing in %s, such as %s: deleted or moved by another program", n,
                    n > 1 ? "s" : "", n > 1 ? "are" : "is", folder, strrchr(name, '/') + 1);
}

/* Somebody may have moved or deleted what this start has written itself. *missing: how many files and checkpoints.
 * On rank 0. */
static void look_for_files(const triad_outputs *o, int *missing)
{
  char temporary[TRIAD_PATH], folder[TRIAD_PATH];
  struct stat about;
  *missing = triad_written_missing(o->dir, report_missing, o->log);
  if (triad_written_unlisted() > 0)
    triad_log_warning(o->log, "out of memory for the list of written files: if some of them are removed, this run does "
                              "not notice");
  if (!o->wrote || triad_commit_names(o->dir, o->saved_step, temporary, folder) != TRIAD_OK) return;
  if (stat(folder, &about) == 0 || errno != ENOENT) return;
  ++*missing;
  triad_log_warning(o->log, "checkpoint %s of this run is missing: moved or deleted by another program", folder);
}

static int save(triad_outputs *o, const triad_instant *at)
{
  const triad_comm *comm = &o->sim.context->comm;
  double begin = triad_now();
  int64_t rows = 0;
  int missing;
  if (at->step == o->saved_step && !o->outdated) return TRIAD_OK;
  TRIAD_TRY(triad_series_sync(o->series, &rows));
  TRIAD_TRY(wait_for_slices(o));
  TRIAD_TRY(triad_probe_rows_sync(o->probes));
  TRIAD_TRY(triad_means_write(o->means, o->dir, o->notes));
  if (o->particles) TRIAD_TRY(o->sim.solver->particles(o->sim.flow, o->dir, o->notes, 1));
  if (comm->rank == 0) look_for_files(o, &missing);
  TRIAD_TRY(save_with_rows(o, rows));
  o->saved_step = at->step;
  o->outdated = 0;
  o->wrote = 1;
  triad_stop_requests_saved(o->stop, triad_now() - begin);
  triad_log_detail(o->log, "checkpoint of step %" PRId64 " in %.3f s", at->step, triad_now() - begin);
  if (o->hooks && o->hooks->saved) o->hooks->saved(o->hooks->who, at);
  return TRIAD_OK;
}

int triad_outputs_last(triad_outputs *o)
{
  const triad_comm *comm = &o->sim.context->comm;
  int64_t rows = 0;
  int missing = 0, st = TRIAD_OK;
  TRIAD_TRY(triad_series_sync(o->series, &rows));
  if (comm->rank == 0) look_for_files(o, &missing);
  if (missing > 0)
    st = TRIAD_FAIL(
      TRIAD_ERR_IO,
      "the flow is complete, but %d file%s of this run %s missing in %s; log.txt or the warnings above name them",
      missing, missing > 1 ? "s" : "", missing > 1 ? "are" : "is", o->dir);
  return triad_agree(comm, st);
}

/* The series is behind when rows have not reached the file; so it is written before its numbers are needed. */
static int write_one(triad_outputs *o, int kind, const triad_instant *at)
{
  const triad_solver *solver = o->sim.solver;
  switch (kind) {
  case SERIES: return triad_series_flush(o->series);
  case PROBES: return triad_probe_rows_flush(o->probes);
  case MEANS: TRIAD_TRY(wait_for_slices(o)); return triad_means_write(o->means, o->dir, o->notes);
  case PARTICLES: TRIAD_TRY(wait_for_slices(o)); return solver->particles(o->sim.flow, o->dir, o->notes, 0);
  case SLICES: return solver->slices(o->sim.flow, o->dir, o->notes);
  case SPECTRA: TRIAD_TRY(wait_for_slices(o)); return solver->spectra(o->sim.flow, o->dir, o->columns, o->notes);
  case FIELDS: TRIAD_TRY(wait_for_slices(o)); return triad_simulation_fields(&o->sim, o->dir, o->notes);
  default: return save(o, at);
  }
}

/* The disk did not take it, which has been printed. */
static int postpone(triad_outputs *o, int kind, const triad_instant *at)
{
  triad_stop_requests *w = o->stop;
  double now = triad_now();
  if (o->retry_limit <= 0) return TRIAD_ERR_IO;
  if (!o->pending) w->retry_ends = now + o->retry_limit;
  w->retry = now + o->retry_interval;
  o->pending |= 1u << kind;
  triad_message_clear();
  triad_log_warning(o->log,
                    "%s of step %" PRId64
                    " could not be written. The run continues%s and tries again in %.0f s, for at most %.0f s",
                    kind_name[kind], at->step, o->saved_step >= 0 ? ", the last valid checkpoint remains," : "",
                    o->retry_interval, fmax(0, w->retry_ends - now));
  return TRIAD_OK;
}

/* A checkpoint vouches for rows of the series, which come first: where the disk has not taken those it is not tried. */
static int waits_for_rows(triad_outputs *o, int kind, const triad_instant *at)
{
  if (kind != CHECKPOINT || !(o->pending & (1u << SERIES | 1u << PROBES))) return 0;
  if (!(o->pending & 1u << CHECKPOINT))
    triad_log_warning(
      o->log, "the checkpoint of step %" PRId64 " is delayed until the rows of the series can be written", at->step);
  o->pending |= 1u << CHECKPOINT;
  return 1;
}

static int attempt(triad_outputs *o, int kind, const triad_instant *at)
{
  if (waits_for_rows(o, kind, at)) return TRIAD_OK;
  static const char *const place[KINDS] = {
    "writing the series", "writing probes", "writing means",  "writing rows of particles",
    "writing spectra",    "writing fields", "writing slices", "writing a checkpoint"};
  triad_watchdog_begin(o->sim.context->watch, TRIAD_WATCHDOG_FILES, place[kind]);
  int st = write_one(o, kind, at);
  triad_watchdog_end(o->sim.context->watch);
  if (st == TRIAD_ERR_IO) return postpone(o, kind, at);
  TRIAD_TRY(st);
  if (!(o->pending & 1u << kind)) return TRIAD_OK;
  o->pending &= ~(1u << kind);
  triad_log_info(o->log, "%s written after a delay, at step %" PRId64, kind_name[kind], at->step);
  if (!o->pending) o->stop->retry = o->stop->retry_ends = INFINITY;
  return TRIAD_OK;
}

/* The solver's numbers, and those of columns that have been added. */
static int measure(triad_outputs *o)
{
  TRIAD_TRY(o->sim.solver->measure(o->sim.flow, o->columns));
  return o->n_added > 0 ? o->hooks->measure(o->hooks->who, o->columns + o->info.n - o->n_added) : TRIAD_OK;
}

/* A row, which reaches the file whatever it says: a flow that has lost what it conserves ends there, before anything
 * else is made of it. All ranks have the same numbers. */
static int add_row(triad_outputs *o, const triad_instant *at)
{
  triad_limits_see(o->limits, o->log, at->t, o->columns);
  const int kept = triad_conservation_see(o->conservation, o->log, at, o->columns);
  TRIAD_TRY(triad_series_add(o->series, at, o->columns));
  o->drifted = triad_agree(&o->sim.context->comm, kept) != TRIAD_OK;
  if (!o->drifted) return TRIAD_OK;
  TRIAD_TRY(attempt(o, SERIES, at));
  return TRIAD_ERR_BLOWUP;
}

/* Write all outputs that are due. Quantities are measured once for all of them. Slices are finished during the
 * following steps, or by the next checkpoint; they precede the last checkpoint and follow any other. */
static int write_all(triad_outputs *o, unsigned wanted, const triad_instant *at, unsigned row, int last)
{
  static const int order[2][KINDS] = {{SERIES, PROBES, MEANS, PARTICLES, SPECTRA, FIELDS, CHECKPOINT, SLICES},
                                      {SERIES, PROBES, MEANS, PARTICLES, SPECTRA, FIELDS, SLICES, CHECKPOINT}};
  if ((row || wanted & 1u << SPECTRA) && !o->measured) TRIAD_TRY(measure(o));
  if (row) TRIAD_TRY(add_row(o, at));
  for (int i = 0; i < KINDS; i++)
    if (wanted & 1u << order[last][i]) TRIAD_TRY(attempt(o, order[last][i], at));
  return TRIAD_OK;
}

int triad_outputs_give_up(const triad_outputs *o, const triad_instant *at)
{
  triad_log_error(o->log, "files could not be written for %g s: giving up at step %" PRId64 ", t = %g", o->retry_limit,
                  at->step, at->t);
  return TRIAD_ERR_IO;
}

/* The flow is at its end, or asked to stop: nothing is left to compute while the disk is awaited. */
static int await_disk(triad_outputs *o, const triad_instant *at)
{
  const triad_comm *comm = &o->sim.context->comm;
  while (o->pending) {
    const struct timespec pause = {0, 200 * 1000 * 1000};
    int act = TRIAD_REQUEST_NONE;
    for (;;) { /* rank 0 decides, for all */
      if (comm->rank == 0) act = triad_stop_requests_now(o->stop);
      TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&act, 1, MPI_INT, 0, comm->mpi)));
      if (act != TRIAD_REQUEST_NONE) break;
      (void)nanosleep(&pause, NULL);
    }
    if (act == TRIAD_REQUEST_GIVE_UP) return triad_outputs_give_up(o, at);
    TRIAD_TRY(write_all(o, o->pending, at, 0, 1));
    if (act == TRIAD_REQUEST_STOP && o->pending) {
      triad_log_error(
        o->log, "stop requested while files could not be written: ending without them at step %" PRId64 ", t = %g",
        at->step, at->t);
      return TRIAD_ERR_IO;
    }
    if (*o->stop->options->request == TRIAD_REQUEST_SAVE) *o->stop->options->request = TRIAD_REQUEST_NONE;
  }
  return TRIAD_OK;
}

/* The file of a window that is over comes to the disk now: the next sample takes its place. */
static int sample_means(triad_outputs *o, const triad_instant *at)
{
  if (triad_means_ended(o->means, at->t)) {
    TRIAD_TRY(attempt(o, MEANS, at));
    if (o->pending & 1u << MEANS)
      triad_log_warning(
        o->log, "the means of the window that ended before t = %g are lost: their file could not be written", at->t);
  }
  TRIAD_TRY(o->sim.solver->measure(o->sim.flow, o->columns));
  o->measured = o->n_added == 0;
  return triad_means_add(o->means, o->columns, at->t);
}

int triad_outputs_due(triad_outputs *o, const triad_instant *at, double before, int first, int last)
{
  unsigned wanted = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    double every = interval_of(o, kind);
    int always = kind == SERIES || (kind == PARTICLES ? o->particles : kind != CHECKPOINT && every > 0);
    int at_end = last && (kind == CHECKPOINT || (kind == SLICES && o->last_slices));
    int due = kind == SERIES && every <= 0 ? 1 : triad_due(every, before, at->t);
    if (kind == PROBES || kind == MEANS) continue;
    if (due || (always && (first || last)) || at_end) wanted |= 1u << kind;
  }
  unsigned row = wanted & 1u << SERIES;
  o->measured = 0;
  if (triad_means_due(o->means, before, at->t, first)) TRIAD_TRY(sample_means(o, at));
  if (triad_probe_rows_due(o->probes, before, at->t, first)) {
    TRIAD_TRY(triad_probe_rows_add(o->probes, at));
    wanted |= 1u << PROBES;
  }
  if (!last) wanted &= ~o->pending; /* output.retry_interval says when these are tried again */
  TRIAD_TRY(write_all(o, wanted, at, row, last));
  o->measured = 0;
  return last ? await_disk(o, at) : TRIAD_OK;
}

static int lacks_slices(const triad_outputs *o, const triad_instant *at)
{
  char path[TRIAD_PATH];
  struct stat about;
  if (o->interval[SLICES] <= 0 || !triad_due(o->interval[SLICES], at->t - at->dt, at->t)) return 0;
  triad_slice list[TRIAD_SLICES];
  int n = 0;
  /* the numbers of the last one are the last file of all */
  if (triad_slice_list_read(o->sim.given, list, &n) == TRIAD_OK &&
      triad_disk_path(path, "%s/slices/slice%d-%08" PRId64 ".h5", o->dir, n, at->step) == TRIAD_OK)
    return stat(path, &about) != 0;
  triad_message_clear();
  return 0;
}

int triad_outputs_resumed(triad_outputs *o, const triad_instant *at)
{
  const triad_comm *comm = &o->sim.context->comm;
  int lacks = comm->rank == 0 && lacks_slices(o, at);
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&lacks, 1, MPI_INT, 0, comm->mpi)));
  return lacks ? attempt(o, SLICES, at) : TRIAD_OK;
}

int triad_outputs_save(triad_outputs *o, const triad_instant *at, int *saved)
{
  TRIAD_TRY(write_all(o, o->pending | 1u << CHECKPOINT, at, 0, 1));
  *saved = o->saved_step == at->step && !o->outdated;
  return TRIAD_OK;
}

double triad_outputs_landing(const triad_outputs *o, double t)
{
  double next = INFINITY;
  /* rows of the series and of particles carry their own t, and are too frequent to cut steps for */
  for (int kind = SPECTRA; kind < KINDS; kind++) next = fmin(next, triad_next(interval_of(o, kind), t));
  return fmin(next, triad_means_next(o->means, t));
}

const char *triad_outputs_landing_key(const triad_outputs *o, double t)
{
  const double next = triad_outputs_landing(o, t);
  if (triad_means_next(o->means, t) <= next && isfinite(next)) return "output.means_interval";
  for (int kind = SPECTRA; kind < KINDS; kind++)
    if (triad_next(interval_of(o, kind), t) <= next && isfinite(next)) return interval_key[kind];
  return NULL;
}
