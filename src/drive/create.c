/* Set up a driven run from its case to an initialised flow, and end it: a start of `triad run` in its directory, held
 * open. */
#include "drive/drive_internal.h"
#include "run/loop_change.h"

#include "base/clock.h"
#include "base/version.h"
#include "command/command.h"
#include "command/main.h"
#include "command/session/rundir.h"
#include "parallel/share_text.h"
#include "run/check.h"

#include <stdlib.h>
#include <string.h>

static int started; /* MPI came up here */

/* ---- callbacks of the run: those of `triad run`, and additions of the driver ---- */

static int consider(void *who, const triad_manifest *found)
{
  triad_run_hooks inner = triad_start_hooks(&((triad_drive *)who)->start);
  return inner.consider(inner.who, found);
}

static int begin(void *who, const triad_manifest *found, const char *source, const triad_instant *at, int finished)
{
  triad_drive *d = who;
  triad_run_hooks inner = triad_start_hooks(&d->start);
  const char *text = "";
  int st = TRIAD_OK;
  if (found && triad_notes_has(found->notes, "kept")) st = triad_notes_text(found->notes, "kept", &text);
  d->kept = strdup(text);
  d->keep = strdup(text);
  if (st == TRIAD_OK && (!d->kept || !d->keep)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of a checkpoint");
  TRIAD_TRY(triad_agree(&d->session.comm, st));
  return inner.begin(inner.who, found, source, at, finished);
}

static int regrid(void *who, const int64_t n[3], const char *why, const triad_instant *at, const triad_case **given)
{
  triad_run_hooks inner = triad_start_hooks(&((triad_drive *)who)->start);
  return inner.regrid(inner.who, n, why, at, given);
}

static void saved(void *who, const triad_instant *at)
{
  triad_run_hooks inner = triad_start_hooks(&((triad_drive *)who)->start);
  inner.saved(inner.who, at);
}

static void ended(void *who, const triad_instant *at)
{
  triad_run_hooks inner = triad_start_hooks(&((triad_drive *)who)->start);
  inner.ended(inner.who, at);
}

static int measure(void *who, double *added)
{
  triad_drive *d = who;
  TRIAD_HOST_TEXT;
  for (int i = 0; i < d->n_columns; i++) TRIAD_TRY(d->columns[i].measure(d->columns[i].who, &added[i]));
  return TRIAD_OK;
}

static int write_notes(void *who, triad_notes *notes)
{
  triad_drive *d = who;
  return d->keep && d->keep[0] ? triad_notes_set_text(notes, "kept", d->keep) : TRIAD_OK;
}

/* ---- from the case on ---- */

/* The options outlive the call as copies. */
static int copy_options(triad_drive *d, const char *path, const triad_drive_options *o)
{
  triad_arguments *a = &d->arguments;
  if (o->n_sets > TRIAD_MAX_ARGUMENTS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d values", TRIAD_MAX_ARGUMENTS);
  d->path = strdup(path);
  d->dir = o->dir ? strdup(o->dir) : triad_rundir_default(path);
  d->program = strdup(o->program ? o->program : "libtriad");
  d->words = calloc((size_t)(o->n_words + o->n_sets) + 1, sizeof *d->words);
  int st = d->path && d->dir && d->program && d->words ? TRIAD_OK : TRIAD_ERR_MEMORY;
  for (int i = 0; st == TRIAD_OK && i < o->n_words + o->n_sets; i++) {
    d->words[i] = strdup(i < o->n_words ? o->words[i] : o->sets[i - o->n_words]);
    if (!d->words[i]) st = TRIAD_ERR_MEMORY;
    d->n_words++;
  }
  if (st != TRIAD_OK) return TRIAD_FAIL(st, "the options of a run");
  a->words[0] = d->path;
  a->n_words = 1;
  for (int i = 0; i < o->n_sets; i++) a->sets[a->n_sets++] = d->words[o->n_words + i];
  d->session.program = d->program;
  d->start = (triad_start){
    .session = &d->session, .arguments = a, .dir = d->dir, .from_start = o->from_start, .new_case = o->new_case};
  return TRIAD_OK;
}

/* The ranks first: one without memory for the run has them to say so to. */
static int open_ranks(triad_comm *comm, const triad_drive_options *o)
{
  int here = 0;
  TRIAD_TRY(triad_session_mpi(&here));
  started |= here;
  return triad_comm_create(comm, o->has_comm ? MPI_Comm_f2c(o->comm) : MPI_COMM_WORLD);
}

static int open_session(triad_drive *d)
{
  triad_log_options log = triad_log_defaults(0);
  TRIAD_TRY(triad_comm_create(&d->voices, d->session.comm.mpi));
  log.out = log.err = -1;
  log.columns = 0;
  log.level = TRIAD_LOG_ERROR;
  log.hear = triad_drive_hear;
  log.who = d;
  return triad_session_open(&d->session, &log);
}

static int open_run(triad_drive *d, const triad_drive_options *o)
{
  triad_session *s = &d->session;
  triad_needs needs;
  TRIAD_TRY(triad_session_check(s, &needs));
  TRIAD_TRY(triad_run_strict(&s->comm, &(triad_run_options){.log = s->log, .strict = o->strict}));
  TRIAD_TRY(triad_rundir_claim(s, d->dir, o->break_lock, &d->lock));
  d->claimed = 1;
  TRIAD_TRY(triad_start_open(&d->start, &needs, d->n_words - o->n_sets, d->words));
  d->options = (triad_run_options){.dir = d->dir,
                                   .log = s->log,
                                   .request = &d->request,
                                   .walltime = o->walltime,
                                   .began = triad_now(),
                                   .strict = o->strict,
                                   .from_start = o->from_start,
                                   .changes = s->changes,
                                   .hooks = {.who = d,
                                             .consider = consider,
                                             .begin = begin,
                                             .saved = saved,
                                             .ended = ended,
                                             .regrid = regrid,
                                             .measure = measure,
                                             .keep = write_notes},
                                   .checkpoint_bytes = needs.checkpoint_bytes};
  return triad_drive_begin_loop(d);
}

static int create(triad_drive *d, const char *path, const triad_drive_options *o)
{
  TRIAD_TRY(open_session(d));
  TRIAD_TRY(triad_agree(&d->session.comm, copy_options(d, path, o)));
  /* ranks that were given names of their own, as of temporary folders, use that of rank 0 */
  TRIAD_TRY(triad_comm_share_text(&d->session.comm, &d->dir, NULL));
  d->start.dir = d->dir;
  d->session.takes_tuned = 1;
  if (!o->from_start) d->session.dir = d->dir;
  if (o->text) TRIAD_TRY(triad_session_case_text(&d->session, path, o->text, &d->arguments));
  else TRIAD_TRY(triad_session_case(&d->session, path, &d->arguments));
  return open_run(d, o);
}

/* ---- the end ---- */

static void free_all(triad_drive **drive)
{
  triad_drive *d = *drive;
  triad_lock_give(&d->lock);
  triad_comm_destroy(&d->voices);
  if (d->kept_memory || d->kept_before) d->session.context = NULL;
  triad_session_close(&d->session);
  for (int i = 0; i < d->n_columns; i++) {
    free(d->columns[i].name);
    free(d->columns[i].unit);
    free(d->columns[i].about);
  }
  for (int i = 0; i < d->n_words; i++) free(d->words[i]);
  free(d->columns);
  free(d->words);
  free(d->program);
  free(d->path);
  free(d->dir);
  free(d->keep);
  free(d->kept);
  free(d->said);
  free(d->shown);
  free(d->resolved);
  free(d);
  *drive = NULL;
}

/* However the flow was created: update the files of the directory and free everything. */
static void leave(triad_drive **drive, int status)
{
  triad_drive *d = *drive;
  if (d->kept_memory && d->loop) triad_loop_keep_flow(d->loop);
  (void)triad_loop_end(&d->loop, status);
  if (d->claimed) {
    triad_session_record(&d->session, status);
    triad_start_end(&d->start, status);
  }
  free_all(drive);
}

int triad_drive_create(triad_drive **out, const char *path, const triad_drive_options *options)
{
  TRIAD_PLAIN_TEXT;
  triad_comm comm = {MPI_COMM_NULL, 0, 1};
  triad_drive_begin(NULL);
  int st = open_ranks(&comm, options);
  triad_drive *d = *out = calloc(1, sizeof *d);
  if (st == TRIAD_OK) st = triad_agree(&comm, d ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a driven run"));
  if (st != TRIAD_OK) {
    free(d);
    *out = NULL;
    st = triad_drive_end_on(&comm, NULL, st);
    triad_comm_destroy(&comm);
    return st;
  }
  d->session.comm = comm;
  d->voices = (triad_comm){MPI_COMM_NULL, 0, 1};
  d->session.silent = 1;
  st = create(d, path, options);
  if (st == TRIAD_OK) return st;
  st = triad_drive_end(d, st);
  leave(out, st);
  return st;
}

/* What is looked at on any rank stays on all: a flow is destroyed by all of its ranks. */
static int share_kept(triad_drive *d)
{
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &d->kept_memory, 1, MPI_INT, MPI_LOR, d->session.comm.mpi));
}

int triad_drive_close(triad_drive **drive)
{
  TRIAD_PLAIN_TEXT;
  if (!drive || !*drive) return TRIAD_OK;
  triad_drive *d = *drive;
  triad_drive_begin(d);
  int end = triad_drive_finished(d), st = d->failed;
  if (st == TRIAD_OK && d->open) st = end ? triad_loop_last(d->loop) : triad_drive_settle(d);
  if (st == TRIAD_OK && d->open && !end) st = triad_loop_save(d->loop);
  const int shared = share_kept(d);
  st = triad_drive_end(d, st == TRIAD_OK ? shared : st);
  const int told = d->failed, missed = d->loop && triad_loop_missed(d->loop);
  leave(drive, st == TRIAD_OK && (!end || missed) ? TRIAD_STOPPED : st);
  return told ? TRIAD_OK : st;
}

void triad_drive_keep_memory(triad_drive *d) { d->kept_memory = 1; }

void triad_drive_finalize(void)
{
  int up = 0, over = 0;
  if (!started || MPI_Initialized(&up) != MPI_SUCCESS || MPI_Finalized(&over) != MPI_SUCCESS || !up || over) return;
  (void)MPI_Finalize();
  started = 0;
}

int triad_drive_program(int argc, char **argv)
{
  TRIAD_PLAIN_TEXT;
  return triad_command_line(argc, argv);
}

const char *triad_drive_version(void) { return triad_version(); }
