/* Append rows to files of a fixed size each, and create the next file when one is full. */

#include "base/clock.h"
#include "store/hdf5/growview.h"
#include "store/hdf5/growsize.h"
#include "store/hdf5/growthere.h"
#include "store/hdf5/h5read.h"
#include "store/checkpoint/tables.h"
#include "store/written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows up to which the description for ParaView, of about 1 kB per row, is written with the view; later with syncs. */
enum { DESCRIBED = 1000 };

static int part_of(const triad_growfile *f, int64_t row, int64_t *first, int64_t *capacity)
{
  int part = 0;
  *capacity = triad_growfile_capacity(f, part, first);
  while (row >= *first + *capacity) *capacity = triad_growfile_capacity(f, ++part, first);
  return part;
}

static int64_t width(const triad_growfile_set *s)
{
  return (s->n_dims > 0 ? s->dims[0] : 1) * (s->n_dims > 1 ? s->dims[1] : 1);
}

static int path_of(const triad_growfile *f, int part, char path[TRIAD_PATH])
{
  return triad_disk_path(path, "%s/%s.%04d.h5", f->folder, f->name, part);
}

/* ---- opening ---- */

int triad_growfile_open(triad_growfile **out, const triad_context *ctx, const char *folder, const char *name,
                        int64_t lines, int n_sets, const triad_growfile_set *sets, int gather, int64_t rows,
                        int64_t step)
{
  int st = TRIAD_OK;
  triad_growfile *f = *out = calloc(1, sizeof *f);
  if (!f) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the file %s", name);
  if (f && n_sets > TRIAD_GROWFILE_SETS) st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d datasets", n_sets);
  if (st == TRIAD_OK) {
    f->ctx = ctx;
    f->lines = lines;
    f->n = n_sets;
    f->gather = gather;
    f->part = -1;
    f->rows = rows;
    memcpy(f->set, sets, (size_t)n_sets * sizeof *sets);
    for (int i = 0; i < n_sets; i++) f->row_bytes += lines * width(&sets[i]) * (int64_t)sizeof(double);
    (void)snprintf(f->name, sizeof f->name, "%s", name);
    st = triad_disk_path(f->folder, "%s", folder);
  }
  if (st == TRIAD_OK && ctx->comm.rank == 0)
    st = rows > 0 ? triad_growthere_take(f, rows) : triad_growthere_clear(f, step);
  st = triad_agree(&ctx->comm, st);
  if (st != TRIAD_OK) triad_growfile_close(out);
  return st;
}

void triad_growfile_close(triad_growfile **file)
{
  if (!*file) return;
  free((*file)->t);
  free((*file)->step);
  free(*file);
  *file = NULL;
}

int64_t triad_growfile_rows(const triad_growfile *f) { return f->rows; }

/* ---- rows ---- */

/* A file for rows, without data. */
static int make_part(const triad_growfile *f, const char *path, int64_t capacity, int with_id)
{
  triad_h5 *file;
  int st = triad_disk_remove(path); /* of a run that was killed */
  int64_t dims[4];
  if (st == TRIAD_OK) st = triad_h5_create(&file, path);
  if (st != TRIAD_OK) return st;
  for (int i = 0; i < f->n && st == TRIAD_OK; i++) {
    int n = triad_growfile_dims(f, i, capacity, dims);
    st = triad_h5_slab(file, f->set[i].name, 8, n, dims);
  }
  int64_t *id = with_id ? malloc((size_t)f->lines * sizeof *id) : NULL;
  for (int64_t i = 0; id && i < f->lines; i++) id[i] = i;
  if (st == TRIAD_OK && with_id)
    st = id ? triad_h5_put_longs(file, "id", 1, &f->lines, id) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  free(id);
  st = triad_h5_close(&file, st);
  if (st == TRIAD_OK) triad_written_add(path);
  return st;
}

static int find_offsets(triad_growfile *f, const char *path)
{
  triad_h5 *file;
  TRIAD_TRY(triad_h5_open(&file, path));
  int st = TRIAD_OK;
  for (int i = 0; i < f->n && st == TRIAD_OK; i++) st = triad_h5_slab_offset(file, f->set[i].name, &f->offset[i]);
  return triad_h5_close(&file, st);
}

/* The file that a row goes to, on all ranks. Collective. */
static int go_to_part(triad_growfile *f, int part, int is_new, int64_t capacity)
{
  char path[TRIAD_PATH];
  int st = path_of(f, part, path);
  if (st == TRIAD_OK && f->ctx->comm.rank == 0) {
    if (is_new) st = make_part(f, path, capacity, part == 0);
    if (st == TRIAD_OK) st = find_offsets(f, path);
  }
  f->part = -1;
  TRIAD_TRY(triad_agree(&f->ctx->comm, st));
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(f->offset, f->n, MPI_INT64_T, 0, f->ctx->comm.mpi)));
  f->part = part;
  return TRIAD_OK;
}

/* On rank 0: where the row belongs in time. */
static int note_time(triad_growfile *f, int64_t step, double t)
{
  if (f->rows >= f->room) {
    int64_t room = 2 * f->room + 64;
    double *times = realloc(f->t, (size_t)room * sizeof *times);
    if (times) f->t = times;
    int64_t *steps = realloc(f->step, (size_t)room * sizeof *steps);
    if (steps) f->step = steps;
    if (!times || !steps) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "times of %s", f->name);
    f->room = room;
  }
  f->t[f->rows] = t;
  f->step[f->rows] = step;
  return TRIAD_OK;
}

static int put_row(triad_growfile *f, int64_t row, int64_t first, int64_t count, const double *const *values, int sync)
{
  char path[TRIAD_PATH];
  int64_t part_first, capacity;
  triad_table tables[TRIAD_GROWFILE_SETS];
  int part = part_of(f, row, &part_first, &capacity);
  if (part != f->part) TRIAD_TRY(go_to_part(f, part, row == part_first, capacity));
  TRIAD_TRY(triad_agree(&f->ctx->comm, path_of(f, part, path)));
  for (int i = 0; i < f->n; i++) {
    const int64_t w = width(&f->set[i]);
    tables[i] = (triad_table){.name = f->set[i].name,
                              .rows = f->lines,
                              .width = w,
                              .first = first,
                              .count = count,
                              .values = values[i],
                              .offset = f->offset[i] + (row - part_first) * f->lines * w * (int64_t)sizeof(double)};
  }
  return triad_tables_put(f->ctx, path, f->gather, sync, f->n, tables);
}

int triad_growfile_add(triad_growfile *f, int64_t step, double t, int64_t first, int64_t count,
                       const double *const *values, const triad_notes *notes)
{
  const int root = f->ctx->comm.rank == 0;
  int64_t part_first, capacity;
  int is_new = part_of(f, f->rows, &part_first, &capacity) != f->part && f->rows > 0;
  if (is_new) TRIAD_TRY(triad_growfile_sync(f, notes)); /* what has been written to the file before */
  if (f->part < 0 && f->rows > 0) /* later rows of a run before this one are dropped before they are overwritten */
    TRIAD_TRY(triad_agree(&f->ctx->comm, root ? triad_growview_write(f, notes) : TRIAD_OK));
  TRIAD_TRY(triad_agree(&f->ctx->comm, root ? note_time(f, step, t) : TRIAD_OK));
  TRIAD_TRY(put_row(f, f->rows, first, count, values, 0));
  f->rows++;
  int st = TRIAD_OK;
  if (root && (f->rows == 1 || triad_now() - f->shown > 1)) {
    st = triad_growview_write(f, notes);
    if (st == TRIAD_OK && f->rows <= DESCRIBED) st = triad_growview_xdmf(f);
    f->shown = triad_now();
  }
  st = triad_agree(&f->ctx->comm, st);
  if (st != TRIAD_OK) f->rows--;
  return st;
}

int triad_growfile_sync(triad_growfile *f, const triad_notes *notes)
{
  int st = TRIAD_OK;
  if (f->part >= 0) {
    char path[TRIAD_PATH];
    st = triad_agree(&f->ctx->comm, path_of(f, f->part, path));
    if (st == TRIAD_OK) st = triad_tables_put(f->ctx, path, f->gather, 1, 0, NULL);
  }
  if (st == TRIAD_OK && f->ctx->comm.rank == 0 && f->rows > 0) {
    st = triad_growview_write(f, notes);
    if (st == TRIAD_OK) st = triad_growview_xdmf(f);
    if (st == TRIAD_OK) st = triad_disk_sync_folder(f->folder);
  }
  return triad_agree(&f->ctx->comm, st);
}
