/* The callbacks of a run in its directory: compare with the existing files, write the case and the record of each
 * session. */
#include "command/session/start.h"

#include "base/version.h"
#include "command/session/discard.h"
#include "command/session/inputs.h"
#include "command/session/inputs_named.h"
#include "command/session/start_change.h"
#include "command/session/start_grid.h"
#include "command/session/rundir.h"
#include "run/check.h"
#include "run/outputs.h"
#include "run/resources.h"
#include "run/series.h"
#include "store/checkpoint/commit.h"
#include "store/written.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before anything is written ---- */

/* Rows without a checkpoint: a run killed before its first one starts over; one that had a checkpoint must not lose
 * everything silently. */
static int check_lost(const triad_start *x)
{
  int64_t *steps = NULL, rows = 0;
  int count = 0;
  if (x->from_start) return TRIAD_OK;
  TRIAD_TRY(triad_commit_list(x->dir, &steps, &count));
  free(steps);
  TRIAD_TRY(triad_series_count(x->dir, INT64_MAX, &rows));
  int had = count > 0 || x->provenance.saved >= 0 || (rows > 0 && !x->provenance.tells);
  if (!had && rows > 0)
    triad_log_info(x->session->log,
                   "the earlier run in this directory ended before its first checkpoint: it starts again at t = 0, and "
                   "its %" PRId64 " rows move to series.discarded.csv",
                   rows);
  if (!had) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%.300s contains a run, %" PRId64
                    " rows of it, but none of its checkpoints can be read. Restore checkpoints/; or use --from-start "
                    "to start at t = 0, which moves the files to before-1/",
                    x->dir, rows);
}

static int compare(triad_start *x, const triad_manifest *found)
{
  const char *was = NULL;
  char path[TRIAD_PATH], *file = NULL;
  int64_t bytes = 0;
  int unread = 0;
  if (triad_notes_text(found->notes, "case", &was) != TRIAD_OK) {
    triad_message_clear();
    return TRIAD_OK;
  }
  TRIAD_TRY(triad_disk_path(path, "%s/case.toml", x->dir));
  int st = triad_disk_load(path, TRIAD_CASE_MOST_BYTES + (1 << 20), &file, &bytes);
  if (st != TRIAD_OK) triad_message_clear();
  st = triad_changes_find(&x->changes, x->session, was, file, &unread);
  free(file);
  if (st == TRIAD_OK && unread)
    triad_log_warning(
      x->session->log,
      "this version cannot read the case in the checkpoint, so later changes of the case are not listed");
  return st == TRIAD_OK && !x->new_case ? triad_changes_refuse(&x->changes, x->dir, x->arguments->words[0]) : st;
}

static int consider(void *who, const triad_manifest *found)
{
  triad_start *x = who;
  const triad_comm *comm = &x->session->comm;
  int st = TRIAD_OK;
  if (comm->rank == 0) st = found ? compare(x, found) : check_lost(x);
  return triad_agree(comm, st);
}

/* ---- it begins ---- */

/* Save the input files; they may be among the results that are moved. */
static int set_out(triad_start *x, triad_inputs *in, const char *source)
{
  char aside[TRIAD_PATH];
  TRIAD_TRY(triad_inputs_find(in, x->session, x->dir, source));
  if (x->from_start) {
    TRIAD_TRY(triad_rundir_set_aside(x->dir, aside));
    TRIAD_TRY(triad_inputs_moved(in, x->dir, aside));
    triad_log_info(x->session->log, "started at t = 0 as requested: the previous files are in %s", aside);
  }
  return triad_inputs_keep(in, x->session, x->dir, &x->provenance.inputs);
}

/* The case and what it began from; where nothing is left to do the case of the last rows stays. */
static int write_case(triad_start *x, const triad_manifest *found, const char *source, int finished)
{
  triad_inputs in = {0};
  int st = found ? triad_inputs_recall(&in, x->session, x->dir, x->provenance.before) : set_out(x, &in, source);
  if (st == TRIAD_OK && !finished) st = triad_rundir_write_case(x->session, x->arguments, &in, x->dir);
  triad_inputs_free(&in);
  return st;
}

/* With another case the run takes other steps than it took from here on. */
static int discard(triad_start *x, const triad_instant *at)
{
  int64_t moved = 0;
  int other = 0;
  for (int i = 0; i < x->changes.n; i++) other |= x->changes.list[i].results;
  if (!other) return TRIAD_OK;
  TRIAD_TRY(triad_discard_later(x->dir, at->step, &moved));
  if (moved > 0)
    triad_log_info(
      x->session->log,
      "%" PRId64 " files of later steps were moved to discarded/, because the case differs from that of the checkpoint",
      moved);
  return TRIAD_OK;
}

/* On rank 0. */
static int write_down(triad_start *x, const triad_manifest *found, const char *source, const triad_instant *at,
                      int finished)
{
  triad_provenance *p = &x->provenance;
  TRIAD_TRY(write_case(x, found, source, finished));
  triad_changes_tell(&x->changes, x->session->log, at->t, finished);
  if (!finished && found) TRIAD_TRY(triad_changes_write(&x->changes, x->dir, at->step, at->t));
  if (!finished && found) TRIAD_TRY(discard(x, at));
  p->changed = finished ? NULL : triad_changes_json(&x->changes);
  if (!finished && !p->changed) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "what has changed in the case");
  p->from = p->to = *at;
  p->saved = found ? found->step : -1;
  return triad_provenance_write(p);
}

static int begin(void *who, const triad_manifest *found, const char *source, const triad_instant *at, int finished)
{
  triad_start *x = who;
  const triad_comm *comm = &x->session->comm;
  x->begun = 1;
  TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? write_down(x, found, source, at, finished) : TRIAD_OK));
  /* A report counts the errors of starts that have this line (tools/triad_plot/read/log.py). */
  triad_log_detail(x->session->log, "the start is accepted: provenance.json lists it");
  return TRIAD_OK;
}

/* ---- while it runs ---- */

static void write_or_warn(const triad_start *x)
{
  char why[1024];
  if (triad_provenance_write(&x->provenance) == TRIAD_OK) return;
  triad_message_reason(why, sizeof why);
  triad_log_warning(x->session->log, "provenance.json could not be written: %s", why);
}

static void saved(void *who, const triad_instant *at)
{
  triad_start *x = who;
  if (x->session->comm.rank != 0) return;
  x->provenance.to = *at;
  x->provenance.saved = at->step;
  write_or_warn(x);
}

static void ended(void *who, const triad_instant *at)
{
  triad_start *x = who;
  if (x->begun) x->provenance.to = *at;
}

triad_run_hooks triad_start_hooks(triad_start *start)
{
  return (triad_run_hooks){.who = start,
                           .consider = consider,
                           .begin = begin,
                           .change = triad_start_change,
                           .regrid = triad_start_regrid,
                           .saved = saved,
                           .ended = ended};
}

static int open_log(triad_session *s, const char *dir)
{
  char path[TRIAD_PATH];
  int st = triad_disk_path(path, "%s/log.txt", dir);
  if (st == TRIAD_OK) st = triad_log_file(s->log, path);
  if (st == TRIAD_OK && s->comm.rank == 0) triad_written_add(path);
  return triad_agree(&s->comm, st);
}

int triad_start_open(triad_start *x, const triad_needs *needs, int argc, char **argv)
{
  triad_session *s = x->session;
  TRIAD_TRY(open_log(s, x->dir));
  TRIAD_TRY(triad_resources_disk(&s->comm, s->given, needs, x->dir, x->from_start, s->log));
  TRIAD_TRY(triad_provenance_create(&x->provenance, s, x->dir, argc, argv));
  triad_log_info(s->log, "%s: %s", triad_version_text(), x->arguments->words[0]);
  triad_binding_log(s->binding, s->log);
  return TRIAD_OK;
}

void triad_start_end(triad_start *x, int status)
{
  if (x->session->comm.rank == 0 && x->begun) {
    triad_provenance_end(&x->provenance, status);
    write_or_warn(x);
  }
  triad_provenance_free(&x->provenance);
  triad_changes_free(&x->changes);
  triad_case_destroy(&x->former);
}
