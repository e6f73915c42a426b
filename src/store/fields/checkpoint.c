/* Write a checkpoint on all ranks: the lines of each field with their checksums, the manifest, and the rename that
 * makes it valid. */
#include "store/fields/checkpoint.h"

#include "store/checkpoint/commit.h"
#include "store/gather.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/modefile.h"
#include "store/fields/modejob.h"
#include "store/checkpoint/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field to be written: the slab that has its lines, and either its memory or, where other ranks had a part in them,
 * its lines. */
typedef struct source {
  const triad_slab *slab;
  const triad_real *field, *lines;
} source;

static int64_t bad_values(int64_t n, const triad_real *values)
{
  int64_t bad = 0;
#pragma omp parallel for reduction(+ : bad) schedule(static)
  for (int64_t i = 0; i < n; i++) bad += !isfinite(values[i]);
  return bad;
}

/* Lines at .. at + n - 1 of this rank, of a field: into the buffer, their checksums into the manifest. */
static int pack(triad_modejob *j, triad_manifest *m, int field, int64_t at, int64_t n, const source *s)
{
  int64_t reals = triad_slab_reals(s->slab);
  triad_real *buffer = (triad_real *)(void *)j->buffer;
  if (s->field) triad_slab_pack(s->slab, at, n, s->field, buffer);
  else memcpy(buffer, s->lines + at * reals, (size_t)(n * reals) * sizeof *buffer);
  int64_t bad = bad_values(n * reals, buffer);
  triad_lines_sum(triad_slab_first(s->slab) + at, n, triad_manifest_line_bytes(m, field), buffer,
                  m->fields[field].block, m->fields[field].sums);
  if (bad == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "no checkpoint at step %lld: %lld values of field %s are not finite",
                    (long long)m->step, (long long)bad, m->fields[field].name);
}

/* This rank's lines of a field to the disk, and their checksums into the manifest: its own share of each. */
static int write_lines(triad_modejob *j, triad_manifest *m, int f, const source *s)
{
  int64_t begin = triad_slab_first(s->slab), count = triad_slab_count(s->slab);
  int64_t line_bytes = triad_manifest_line_bytes(m, f), most = triad_modejob_lines(j, m, f);
  for (int64_t at = 0; at < count; at += most) {
    int64_t n = count - at < most ? count - at : most;
    TRIAD_TRY(pack(j, m, f, at, n, s));
    triad_watchdog_at(j->ctx->watch, "writing its lines of a checkpoint");
    TRIAD_TRY(
      triad_disk_write(j->fd, j->path, j->buffer, n * line_bytes, m->fields[f].offset + (begin + at) * line_bytes));
  }
  return TRIAD_OK;
}

/* The same through rank 0. A rank that has failed brings nothing more, but takes part in every round. Collective. */
static int gather_lines(triad_modejob *j, triad_manifest *m, int f, const source *s, int status)
{
  const triad_comm *comm = &j->ctx->comm;
  int64_t begin = triad_slab_first(s->slab), count = triad_slab_count(s->slab);
  int64_t line_bytes = triad_manifest_line_bytes(m, f), most = triad_modejob_lines(j, m, f), rounds;
  int st = status;
  TRIAD_TRY(triad_gather_rounds(comm, (count + most - 1) / most, &rounds));
  for (int64_t i = 0; i < rounds; i++) {
    int64_t at = i * most, n = count - at < most ? count - at : most;
    if (n < 0 || st != TRIAD_OK) n = 0;
    if (n > 0) st = pack(j, m, f, at, n, s);
    int round = triad_gather_write(comm, j->fd, j->path, j->buffer, n * line_bytes,
                                   m->fields[f].offset + (begin + at) * line_bytes, j->buffer, j->room);
    if (st == TRIAD_OK) st = round;
  }
  return st;
}

/* Write all fields. A rank that fails still takes part in collective calls. Collective, but each rank has its own
 * status. */
static int write_fields(triad_modejob *j, triad_manifest *m, triad_state *state, int gather)
{
  const triad_comm *comm = &j->ctx->comm;
  int writes = !gather || comm->rank == 0;
  int st = !writes ? TRIAD_OK : gather ? triad_disk_open(j->path, 1, &j->fd) : triad_gather_open(comm, j->path, &j->fd);
  if (gather) TRIAD_TRY(triad_agree(comm, st));
  for (int f = 0; f < m->n_fields; f++) {
    const void *field = NULL;
    int got = triad_state_read(state, f, TRIAD_HOST, &field); /* all have been brought: it only gives the pointer */
    source s = {j->slab[f], field, NULL};
    if (!triad_slab_is_direct(s.slab)) {
      int moved = triad_slab_gather(j->slab[f], field, j->lines);
      if (got == TRIAD_OK) got = moved;
      s = (source){j->slab[f], NULL, j->lines};
    }
    if (st == TRIAD_OK) st = got;
    if (gather) st = gather_lines(j, m, f, &s, st);
    else if (st == TRIAD_OK) st = write_lines(j, m, f, &s);
  }
  triad_watchdog_at(j->ctx->watch, "flushing its part of a checkpoint to the disk");
  return st == TRIAD_OK && writes ? triad_disk_sync(j->fd, j->path) : st;
}

/* ---- what it is of ---- */

/* The grid described by a manifest: of modes their own, else the axes of the first field's space. */
static int grid_of(const triad_space *s, triad_grid *grid)
{
  int64_t n[3] = {1, 1, 1};
  double length[3] = {1, 1, 1};
  if (s->layout) {
    *grid = s->layout->grid;
    return TRIAD_OK;
  }
  for (int i = 0; i < 3 && s->axis[i].n > 0; i++) {
    n[i] = s->axis[i].n;
    length[i] = s->axis[i].length;
  }
  return triad_grid_init(grid, n, length, TRIAD_NONE);
}

static void lines_of(const triad_space *s, int64_t *lines, int64_t *line)
{
  *line = s->n_dims > 1 ? s->dims[s->n_dims - 1] : 1;
  *lines = s->all / *line;
}

/* Step, times and notes into a manifest that has just been created, and the names of the state's fields. */
static int describe_contents(triad_manifest *m, const triad_checkpoint_info *info, const triad_state *state)
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
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" is not a valid solver name", info->solver);
  (void)snprintf(m->solver, sizeof m->solver, "%s", info->solver);
  for (int f = 0; f < m->n_fields; f++) {
    const char *name = triad_state_field(state, f)->name;
    if (!triad_notes_good_name(name) || triad_manifest_find(m, name) >= 0)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" is an invalid or repeated field name", name);
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

static int describe(triad_manifest **out, const triad_checkpoint_info *info, const triad_state *state,
                    const triad_space *const *spaces)
{
  triad_grid grid;
  int64_t lines, line;
  int n = triad_state_size(state);
  TRIAD_TRY(grid_of(spaces[0], &grid));
  lines_of(spaces[0], &lines, &line);
  TRIAD_TRY(triad_manifest_create(out, &grid, lines, line, n));
  triad_manifest *m = *out;
  m->points = !spaces[0]->layout;
  if (m->points && !triad_space_is_box(spaces[0]))
    (void)snprintf(m->space, sizeof m->space, "%s", spaces[0]->kind->name);
  for (int f = 0; f < n; f++) {
    lines_of(spaces[f], &lines, &line);
    int modes = spaces[f]->layout != NULL;
    if (modes == m->points || spaces[f]->parts != (modes ? 2 : 1))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a checkpoint of field %s in space \"%s\" with others in \"%s\"",
                        triad_state_field(state, f)->name, spaces[f]->kind->name, spaces[0]->kind->name);
    if (lines != m->columns || line != m->nkz) TRIAD_TRY(triad_manifest_resize(m, f, lines, line));
  }
  return describe_contents(m, info, state);
}

/* ---- completion ---- */

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

/* The temporary folder and in it the large file at `path`, without data; on every rank where its fields are.
 * Collective. */
static int make_empty(const triad_comm *comm, const char *run_dir, const char *path, const triad_space *const *spaces,
                      triad_manifest *m, const char *about)
{
  int root = comm->rank == 0, st = root ? triad_commit_begin(run_dir, m->step) : TRIAD_OK;
  if (root && st == TRIAD_OK) st = triad_modefile_create(path, spaces, m, about);
  TRIAD_TRY(triad_agree(comm, st));
  return share_places(comm, m);
}

static int commit(const char *run_dir, const triad_manifest *m, int keep, const triad_beside *beside)
{
  char *text;
  int64_t bytes;
  int stuck = 0;
  TRIAD_TRY(triad_manifest_format(m, &text, &bytes));
  int st = triad_commit_finish(run_dir, m->step, text, bytes, beside);
  free(text);
  if (st != TRIAD_OK) return st;
  /* The checkpoint is valid. Failures to delete old ones are reported, but are no failure to write it. */
  if (triad_commit_retire(run_dir, m->step, keep, &stuck) != TRIAD_OK || stuck > 0) {
    triad_message_print(0);
    triad_message_clear();
  }
  return TRIAD_OK;
}

/* With status TRIAD_OK the data are in the file, synced, and the checksums in the manifest: give the checkpoint its
 * name and delete all but the newest `keep`. Otherwise, or on failure, delete it. Collective. */
static int put_in_place(const triad_comm *comm, const char *run_dir, const triad_manifest *m, int keep,
                        const triad_beside *beside, int status)
{
  int root = comm->rank == 0, st = status;
  if (st == TRIAD_OK) st = triad_agree(comm, root ? commit(run_dir, m, keep, beside) : TRIAD_OK);
  if (st != TRIAD_OK && root) triad_commit_abandon(run_dir, m->step);
  return st;
}

int triad_checkpoint_write(const triad_context *ctx, triad_state *state, const char *run_dir,
                           const triad_checkpoint_info *info, int keep)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_modejob j = {.fd = -1, .ctx = ctx};
  triad_manifest *m = NULL;
  int n = triad_state_size(state);
  const triad_space *spaces[n];
  for (int f = 0; f < n; f++) spaces[f] = triad_state_space(state, f);
  int st = triad_state_read_all(state, TRIAD_HOST);
  if (st == TRIAD_OK) st = describe(&m, info, state, spaces);
  if (st == TRIAD_OK) st = triad_commit_names(run_dir, info->step, temporary, final);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/%s", temporary, triad_manifest_file(m));
  st = triad_agree(&ctx->comm, st);
  if (st == TRIAD_OK) st = triad_modejob_open(&j, ctx, m, spaces);
  if (st == TRIAD_OK) {
    st = make_empty(&ctx->comm, run_dir, j.path, spaces, m, info->about);
    if (st == TRIAD_OK && info->n_tables > 0)
      st = triad_tables_write(ctx, temporary, info->gather, info->n_tables, info->tables, m->notes);
    if (st == TRIAD_OK) st = triad_modejob_seal(&j, m, info->gather, write_fields(&j, m, state, info->gather));
    st = put_in_place(&ctx->comm, run_dir, m, keep, info->beside, st);
  }
  triad_modejob_close(&j);
  triad_manifest_destroy(&m);
  return st;
}
