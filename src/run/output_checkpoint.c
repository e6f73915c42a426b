/* Write the checkpoint of a run, which relies on rows and files written before it, and report missing files. */
#include "run/output_checkpoint.h"
#include "run/means/means_state.h"
#include "run/series.h"

#include "base/clock.h"
#include "store/checkpoint/commit.h"
#include "store/written.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int triad_outputs_wait_for_slices(triad_outputs *o)
{
  const double begin = triad_now();
  const int st = o->sim.solver->wait ? o->sim.solver->wait(o->sim.flow) : TRIAD_OK;
  o->awaited += triad_now() - begin;
  return st;
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

int triad_outputs_checkpoint(triad_outputs *o, const triad_instant *at, int (*sync)(triad_outputs *o))
{
  const triad_comm *comm = &o->sim.context->comm;
  double begin = triad_now();
  int64_t rows = 0;
  int missing;
  if (at->step == o->saved_step && !o->outdated) return TRIAD_OK;
  TRIAD_TRY(triad_series_sync(o->series, &rows));
  TRIAD_TRY(triad_outputs_wait_for_slices(o));
  TRIAD_TRY(sync(o));
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
