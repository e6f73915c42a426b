#include "store/checkpoint_make.h"

#include "store/commit.h"
#include "store/modefile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_checkpoint_make_describe(triad_manifest *m, const triad_checkpoint_info *info, const triad_state *state)
{
  m->step = info->step;
  m->t = info->t;
  m->dt = info->dt;
  m->element = (int)sizeof(triad_real);
  m->writer = strdup(info->writer);
  if (!m->writer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the manifest");
  if (info->step < 0 || !isfinite(info->t) || !isfinite(info->dt))
    return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "a checkpoint at step %lld, time %g, dt %g", (long long)info->step, info->t,
                      info->dt);
  if (!triad_notes_good_name(info->solver))
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" cannot name a solver", info->solver);
  (void)snprintf(m->solver, sizeof m->solver, "%s", info->solver);
  for (int f = 0; f < m->n_fields; f++) {
    const char *name = triad_state_field(state, f)->name;
    if (!triad_notes_good_name(name) || triad_manifest_find(m, name) >= 0)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" cannot name a field, or does twice", name);
    (void)snprintf(m->fields[f].name, sizeof m->fields[f].name, "%s", name);
  }
  for (int i = 0; info->notes && i < info->notes->count; i++) {
    const triad_note_item *item = &info->notes->items[i];
    TRIAD_TRY(item->kind == TRIAD_NOTE_REAL      ? triad_notes_set_real(m->notes, item->name, item->real)
              : item->kind == TRIAD_NOTE_INTEGER ? triad_notes_set_integer(m->notes, item->name, item->integer)
                                                 : triad_notes_set_text(m->notes, item->name, item->text));
  }
  return TRIAD_OK;
}

/* On every rank: where the fields are in the file that rank 0 has made. */
static int share_places(const triad_comm *comm, triad_manifest *m)
{
  int64_t places[m->n_fields + 1];
  for (int f = 0; f < m->n_fields; f++) places[f] = m->fields[f].offset;
  places[m->n_fields] = m->file_bytes;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(places, m->n_fields + 1, MPI_INT64_T, 0, comm->mpi)));
  for (int f = 0; f < m->n_fields; f++) m->fields[f].offset = places[f];
  m->file_bytes = places[m->n_fields];
  return TRIAD_OK;
}

int triad_checkpoint_make_begin(const triad_comm *comm, const char *run_dir, const char *path,
                                const triad_space *const *spaces,
                                triad_manifest *m, const char *about)
{
  int root = comm->rank == 0, st = root ? triad_commit_begin(run_dir, m->step) : TRIAD_OK;
  if (root && st == TRIAD_OK) st = triad_modefile_create(path, spaces, m, about);
  TRIAD_TRY(triad_agree(comm, st));
  return share_places(comm, m);
}

static int commit(const char *run_dir, const triad_manifest *m, int keep)
{
  char *text;
  int64_t bytes;
  int stuck = 0;
  TRIAD_TRY(triad_manifest_format(m, &text, &bytes));
  int st = triad_commit_finish(run_dir, m->step, text, bytes);
  free(text);
  if (st != TRIAD_OK) return st;
  /* The checkpoint stands. What goes wrong with old ones is told, but is no failure to write it. */
  if (triad_commit_retire(run_dir, m->step, keep, &stuck) != TRIAD_OK || stuck > 0) {
    triad_message_print(0);
    triad_message_clear();
  }
  return TRIAD_OK;
}

int triad_checkpoint_make_finish(const triad_comm *comm, const char *run_dir, const triad_manifest *m, int keep, int status)
{
  int root = comm->rank == 0, st = status;
  if (st == TRIAD_OK) st = triad_agree(comm, root ? commit(run_dir, m, keep) : TRIAD_OK);
  if (st != TRIAD_OK && root) triad_commit_abandon(run_dir, m->step);
  return st;
}
