/* Decide after each step which files are due, write them, and keep those pending that the disk refuses. */
#include "run/outputs.h"
#include "run/output_checkpoint.h"
#include "run/means/means_state.h"
#include "run/means/means_file.h"
#include "run/series.h"
#include "run/probes.h"

#include "base/clock.h"
#include "solvers/slice_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The moment after a step that began at time `before`. */
typedef struct moment {
  const triad_instant *at;
  double before;
  bool first, last; /* visit of the run */
} moment;

typedef struct output_kind {
  const char *name, *key, *doing;
  triad_output_phase phase;
  /* Can this flow have such files? */
  bool (*made)(const triad_outputs *o);
  /* Set *yes if the kind is to be written now; every: its interval. May keep numbers until then. Collective. */
  int (*due)(triad_outputs *o, const moment *m, double every, bool *yes);
  /* The next time at which a step must end; infinity: such files cut no steps. */
  double (*next)(const triad_outputs *o, double every, double t);
  int (*write)(triad_outputs *o, const triad_instant *at);
  /* Before a checkpoint: bring to the disk what has been kept. */
  int (*sync)(triad_outputs *o);
} output_kind;

static const output_kind *kind_at(int kind);

void triad_outputs_read(triad_outputs *o, const triad_case *c)
{
  for (int k = 0; k < TRIAD_OUTPUT_N; k++) {
    const char *key = kind_at(k)->key;
    if (key && triad_case_applies(c, key)) o->interval[k] = triad_case_real(c, key);
  }
  o->last_slices = triad_slice_list_wanted(c);
  o->particles = triad_case_tables(c, "particles") > 0;
  o->retry_interval = triad_case_real(c, "output.retry_interval");
  o->retry_limit = triad_case_real(c, "output.retry_limit");
}

void triad_outputs_of(triad_outputs *o, const triad_simulation *sim)
{
  o->sim = *sim;
  if (!sim->solver->slices) o->last_slices = 0;
  if (!sim->solver->particles) o->particles = 0;
}

/* The interval of a kind of files, 0 if the flow as it is makes none. */
static double interval_of(const triad_outputs *o, int kind)
{
  return !o->sim.solver || kind_at(kind)->made(o) ? o->interval[kind] : 0;
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
                    kind_at(kind)->name, at->step, o->saved_step >= 0 ? ", the last valid checkpoint remains," : "",
                    o->retry_interval, fmax(0, w->retry_ends - now));
  return TRIAD_OK;
}

/* A checkpoint vouches for rows of the series, which come first: where the disk has not taken those it is not tried. */
static int waits_for_rows(triad_outputs *o, int kind, const triad_instant *at)
{
  if (kind != TRIAD_OUTPUT_CHECKPOINT || !(o->pending & (1u << TRIAD_OUTPUT_SERIES | 1u << TRIAD_OUTPUT_PROBES)))
    return 0;
  if (!(o->pending & 1u << TRIAD_OUTPUT_CHECKPOINT))
    triad_log_warning(
      o->log, "the checkpoint of step %" PRId64 " is delayed until the rows of the series can be written", at->step);
  o->pending |= 1u << TRIAD_OUTPUT_CHECKPOINT;
  return 1;
}

static int attempt(triad_outputs *o, int kind, const triad_instant *at)
{
  if (waits_for_rows(o, kind, at)) return TRIAD_OK;
  const double begin = triad_now();
  o->awaited = 0;
  triad_watchdog_begin(o->sim.context->watch, TRIAD_WATCHDOG_FILES, kind_at(kind)->doing);
  int st = kind_at(kind)->write(o, at);
  triad_watchdog_end(o->sim.context->watch);
  /* a kind that waited for slices is not charged for them */
  const triad_background_part *background = o->sim.solver->background;
  const double taken = background ? background->taken(o->sim.flow) : 0;
  triad_output_costs_add(&o->costs, TRIAD_OUTPUT_SLICES, o->awaited + taken);
  triad_output_costs_add(&o->costs, kind, triad_now() - begin - o->awaited);
  if (st == TRIAD_ERR_IO) return postpone(o, kind, at);
  TRIAD_TRY(st);
  if (!(o->pending & 1u << kind)) return TRIAD_OK;
  o->pending &= ~(1u << kind);
  triad_log_info(o->log, "%s written after a delay, at step %" PRId64, kind_at(kind)->name, at->step);
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
  TRIAD_TRY(attempt(o, TRIAD_OUTPUT_SERIES, at));
  return TRIAD_ERR_BLOWUP;
}

/* Write all outputs that are due. Quantities are measured once for all of them. Slices are finished during the
 * following steps, or by the next checkpoint; they precede the last checkpoint and follow any other. */
static int write_all(triad_outputs *o, unsigned wanted, const triad_instant *at, unsigned row, int last)
{
  const triad_output_phase order[3] = {TRIAD_OUTPUT_AT_ONCE, last ? TRIAD_OUTPUT_BACKGROUND : TRIAD_OUTPUT_LAST,
                                       last ? TRIAD_OUTPUT_LAST : TRIAD_OUTPUT_BACKGROUND};
  const double begin = triad_now();
  if ((row || wanted & 1u << TRIAD_OUTPUT_SPECTRA) && !o->measured) TRIAD_TRY(measure(o));
  if (row) TRIAD_TRY(add_row(o, at));
  /* what a row and a spectrum share is charged to the row */
  triad_output_costs_add(&o->costs, row ? TRIAD_OUTPUT_SERIES : TRIAD_OUTPUT_SPECTRA, triad_now() - begin);
  for (int i = 0; i < 3; i++)
    for (int kind = 0; kind < TRIAD_OUTPUT_N; kind++)
      if (kind_at(kind)->phase == order[i] && wanted & 1u << kind) TRIAD_TRY(attempt(o, kind, at));
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

/* Steps on a GPU may be running still: no output is charged for them. */
static int wait_for_steps(const triad_simulation *sim)
{
  int offload = 0;
  triad_device *device = sim->solver->device ? sim->solver->device(sim->flow, &offload) : NULL;
  return device ? triad_device_wait(device) : TRIAD_OK;
}

/* The file of a window that is over comes to the disk now: the next sample takes its place. */
static int sample_means(triad_outputs *o, const triad_instant *at)
{
  if (triad_means_ended(o->means, at->t)) {
    TRIAD_TRY(attempt(o, TRIAD_OUTPUT_MEANS, at));
    if (o->pending & 1u << TRIAD_OUTPUT_MEANS)
      triad_log_warning(
        o->log, "the means of the window that ended before t = %g are lost: their file could not be written", at->t);
  }
  TRIAD_TRY(wait_for_steps(&o->sim));
  const double begin = triad_now();
  TRIAD_TRY(o->sim.solver->measure(o->sim.flow, o->columns));
  o->measured = o->n_added == 0;
  const int st = triad_means_add(o->means, o->columns, at->t);
  triad_output_costs_add(&o->costs, TRIAD_OUTPUT_MEANS, triad_now() - begin);
  return st;
}

int triad_outputs_due(triad_outputs *o, const triad_instant *at, double before, int first, int last)
{
  const moment m = {at, before, first != 0, last != 0};
  unsigned wanted = 0;
  o->measured = 0;
  for (int kind = 0; kind < TRIAD_OUTPUT_N; kind++) {
    bool yes = false;
    TRIAD_TRY(kind_at(kind)->due(o, &m, interval_of(o, kind), &yes));
    if (yes) wanted |= 1u << kind;
  }
  unsigned row = wanted & 1u << TRIAD_OUTPUT_SERIES;
  if (!last) wanted &= ~o->pending; /* output.retry_interval says when these are tried again */
  if (wanted) TRIAD_TRY(wait_for_steps(&o->sim));
  TRIAD_TRY(write_all(o, wanted, at, row, last));
  o->measured = 0;
  if (!(o->costs.begin > 0)) o->costs.begin = triad_now();
  triad_output_costs_judge(&o->costs, o->log, triad_now(), o->interval);
  if (last) triad_output_costs_report(&o->costs, o->log, triad_now());
  return last ? await_disk(o, at) : TRIAD_OK;
}

static int lacks_slices(const triad_outputs *o, const triad_instant *at)
{
  char path[TRIAD_PATH];
  struct stat about;
  const double every = interval_of(o, TRIAD_OUTPUT_SLICES);
  if (every <= 0 || !triad_due(every, at->t - at->dt, at->t)) return 0;
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
  return lacks ? attempt(o, TRIAD_OUTPUT_SLICES, at) : TRIAD_OK;
}

int triad_outputs_save(triad_outputs *o, const triad_instant *at, int *saved)
{
  TRIAD_TRY(write_all(o, o->pending | 1u << TRIAD_OUTPUT_CHECKPOINT, at, 0, 1));
  *saved = o->saved_step == at->step && !o->outdated;
  return TRIAD_OK;
}

/* The first kind for which a step must end soonest after t, and that time; TRIAD_OUTPUT_N: there is none. */
static int next_landing(const triad_outputs *o, double t, double *time)
{
  int found = TRIAD_OUTPUT_N;
  *time = INFINITY;
  for (int kind = 0; kind < TRIAD_OUTPUT_N; kind++) {
    double next = kind_at(kind)->next(o, interval_of(o, kind), t);
    if (!(next < *time)) continue;
    *time = next;
    found = kind;
  }
  return found;
}

double triad_outputs_landing(const triad_outputs *o, double t)
{
  double time;
  (void)next_landing(o, t, &time);
  return time;
}

const char *triad_outputs_landing_key(const triad_outputs *o, double t)
{
  double time;
  int kind = next_landing(o, t, &time);
  return kind < TRIAD_OUTPUT_N ? kind_at(kind)->key : NULL;
}

/* ---- the kinds: what each does, by names that the table below is made of ---- */

static bool made_always(const triad_outputs *o) { return o != NULL; }

static int nothing_to_sync(triad_outputs *o) { return o ? TRIAD_OK : TRIAD_ERR_INTERNAL; }

static double next_never(const triad_outputs *o, double every, double t)
{
  (void)o, (void)every, (void)t;
  return INFINITY;
}

static double next_multiple(const triad_outputs *o, double every, double t)
{
  (void)o;
  return triad_next(every, t);
}

static bool is_end(const moment *m) { return m->first || m->last; }

/* At multiples of the interval; if there is one, also at the start and at the end. */
static int due_by_interval(triad_outputs *o, const moment *m, double every, bool *yes)
{
  (void)o;
  *yes = triad_due(every, m->before, m->at->t) || (every > 0 && is_end(m));
  return TRIAD_OK;
}

/* Rows carry their own t, and are too frequent to cut steps for. Without an interval: after each step. */
#define series_made made_always
#define series_next next_never
#define series_sync nothing_to_sync /* before all others, since a checkpoint notes how many rows there are */
static int series_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  (void)o;
  *yes = every <= 0 || is_end(m) || triad_due(every, m->before, m->at->t);
  return TRIAD_OK;
}

static int series_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  return triad_series_flush(o->series);
}

/* Samples are taken here; the file is written with a checkpoint, and when a window is over. */
#define means_made made_always
static int means_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  (void)every;
  *yes = false;
  return triad_means_due(o->means, m->before, m->at->t, m->first) ? sample_means(o, m->at) : TRIAD_OK;
}

static double means_next(const triad_outputs *o, double every, double t)
{
  (void)every;
  return triad_means_next(o->means, t);
}

static int means_sync(triad_outputs *o) { return triad_means_write(o->means, o->dir, o->notes); }

static int means_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  TRIAD_TRY(triad_outputs_wait_for_slices(o));
  return means_sync(o);
}

#define spectra_due due_by_interval
#define spectra_next next_multiple
#define spectra_sync nothing_to_sync
static bool spectra_made(const triad_outputs *o)
{
  const triad_solver *solver = o->sim.solver;
  return solver->spectra && (!solver->has_spectra || solver->has_spectra(o->sim.flow));
}

static int spectra_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  TRIAD_TRY(triad_outputs_wait_for_slices(o));
  return o->sim.solver->spectra(o->sim.flow, o->dir, o->columns, o->notes);
}

#define fields_made made_always
#define fields_due due_by_interval
#define fields_next next_multiple
#define fields_sync nothing_to_sync
static int fields_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  TRIAD_TRY(triad_outputs_wait_for_slices(o));
  return triad_simulation_fields(&o->sim, o->dir, o->notes);
}

#define slices_next next_multiple
#define slices_sync nothing_to_sync
static bool slices_made(const triad_outputs *o) { return o->last_slices != 0; }

static int slices_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  TRIAD_TRY(due_by_interval(o, m, every, yes));
  *yes |= m->last && o->last_slices;
  return TRIAD_OK;
}

static int slices_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  return o->sim.solver->slices(o->sim.flow, o->dir, o->notes);
}

#define particles_next next_never
static bool particles_made(const triad_outputs *o) { return o->particles != 0; }

static int particles_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  *yes = triad_due(every, m->before, m->at->t) || (o->particles && is_end(m));
  return TRIAD_OK;
}

static int particles_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  TRIAD_TRY(triad_outputs_wait_for_slices(o));
  return o->sim.solver->particles(o->sim.flow, o->dir, o->notes, 0);
}

static int particles_sync(triad_outputs *o)
{
  return o->particles ? o->sim.solver->particles(o->sim.flow, o->dir, o->notes, 1) : TRIAD_OK;
}

#define probes_made made_always
#define probes_next next_never
static int probes_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  (void)every;
  *yes = triad_probe_rows_due(o->probes, m->before, m->at->t, m->first);
  if (!*yes) return TRIAD_OK;
  TRIAD_TRY(wait_for_steps(&o->sim));
  const double begin = triad_now();
  const int st = triad_probe_rows_add(o->probes, m->at);
  triad_output_costs_add(&o->costs, TRIAD_OUTPUT_PROBES, triad_now() - begin);
  return st;
}

static int probes_write(triad_outputs *o, const triad_instant *at)
{
  (void)at;
  return triad_probe_rows_flush(o->probes);
}

static int probes_sync(triad_outputs *o) { return triad_probe_rows_sync(o->probes); }

#define checkpoint_made made_always
#define checkpoint_next next_multiple
#define checkpoint_sync nothing_to_sync
static int sync_all(triad_outputs *o)
{
  for (int k = 0; k < TRIAD_OUTPUT_N; k++) TRIAD_TRY(kind_at(k)->sync(o));
  return TRIAD_OK;
}

static int checkpoint_write(triad_outputs *o, const triad_instant *at)
{
  return triad_outputs_checkpoint(o, at, sync_all);
}

static int checkpoint_due(triad_outputs *o, const moment *m, double every, bool *yes)
{
  (void)o;
  *yes = m->last || triad_due(every, m->before, m->at->t);
  return TRIAD_OK;
}

static const output_kind *kind_at(int kind)
{
#define ROW(kind, name, key, files, by_step, phase, doing) \
  {#name, key, doing, phase, name##_made, name##_due, name##_next, name##_write, name##_sync},
  static const output_kind kinds[TRIAD_OUTPUT_N] = {TRIAD_OUTPUT_KINDS(ROW)};
#undef ROW
  return &kinds[kind];
}
