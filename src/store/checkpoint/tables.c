/* Write and read tables of doubles whose rows are distributed over ranks, with a checksum each. */
#include "store/checkpoint/tables.h"

#include "store/disk.h"
#include "store/gather.h"
#include "store/hdf5/h5file.h"
#include "store/hdf5/h5read.h"
#include "store/checkpoint/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char stem[] = "table.";

enum { TEXT = 96, PIECE = 1 << 16 /* rows that are read at a time */ };

static int64_t largest(const triad_context *ctx, int n, const triad_table *tables, int *st)
{
  int64_t most = 1;
  for (int i = 0; i < n; i++)
    if (tables[i].count * tables[i].width > most) most = tables[i].count * tables[i].width;
  int64_t mine = most * (int64_t)sizeof(double);
  *st = TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MAX, ctx->comm.mpi));
  return mine;
}

static int write_rows(const triad_context *ctx, int fd, const char *path, int gather, const triad_table *t,
                      void *buffer, int64_t room)
{
  const int64_t row = t->width * (int64_t)sizeof(double), at = t->offset + t->first * row;
  if (gather) return triad_gather_write(&ctx->comm, fd, path, t->values, t->count * row, at, buffer, room);
  return t->count > 0 ? triad_disk_write(fd, path, t->values, t->count * row, at) : TRIAD_OK;
}

int triad_tables_put(const triad_context *ctx, const char *path, int gather, int sync, int n, const triad_table *tables)
{
  const triad_comm *comm = &ctx->comm;
  const int writes = !gather || comm->rank == 0;
  int fd = -1, st = writes ? triad_gather_open(comm, path, &fd) : TRIAD_OK, reduced = TRIAD_OK;
  void *buffer = NULL;
  int64_t room = gather ? largest(ctx, n, tables, &reduced) : 0;
  if (gather && comm->rank == 0) buffer = malloc((size_t)room);
  if (gather && comm->rank == 0 && !buffer && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of other ranks");
  if (st == TRIAD_OK) st = reduced;
  if (gather) st = triad_agree(comm, st);
  for (int i = 0; i < n && (st == TRIAD_OK || gather); i++) {
    int one = st == TRIAD_OK ? write_rows(ctx, fd, path, gather, &tables[i], buffer, room) : st;
    if (gather) one = triad_agree(comm, one);
    if (one != TRIAD_OK) {
      st = one;
      break;
    }
  }
  if (st == TRIAD_OK && sync && writes) st = triad_disk_sync(fd, path);
  int closed = triad_disk_close(&fd, path);
  free(buffer);
  return triad_agree(comm, st == TRIAD_OK ? closed : st);
}

/* The file without data, and where the tables are in it. On rank 0. */
static int make_file(const char *path, int n, triad_table *tables)
{
  triad_h5 *file;
  int st = TRIAD_OK;
  TRIAD_TRY(triad_h5_create(&file, path));
  for (int i = 0; i < n && st == TRIAD_OK; i++) {
    const int64_t dims[2] = {tables[i].rows, tables[i].width};
    st = triad_h5_slab(file, tables[i].name, 8, 2, dims);
  }
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = triad_h5_slab_offset(file, tables[i].name, &tables[i].offset);
  return triad_h5_close(&file, st);
}

static const char *note_of(char text[TEXT], const char *name)
{
  (void)snprintf(text, TEXT, "%s%s", stem, name);
  return text;
}

int triad_tables_write(const triad_context *ctx, const char *folder, int gather, int n, triad_table *tables,
                       triad_notes *notes)
{
  char path[TRIAD_PATH], text[TEXT];
  int64_t offset[TRIAD_TABLES];
  int st = n <= TRIAD_TABLES ? triad_disk_path(path, "%s/" TRIAD_TABLES_FILE, folder)
                             : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%d tables", n);
  if (st == TRIAD_OK && ctx->comm.rank == 0) st = make_file(path, n, tables);
  TRIAD_TRY(triad_agree(&ctx->comm, st));
  for (int i = 0; i < n; i++) offset[i] = tables[i].offset;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(offset, n, MPI_INT64_T, 0, ctx->comm.mpi)));
  for (int i = 0; i < n; i++) tables[i].offset = offset[i];
  TRIAD_TRY(triad_tables_put(ctx, path, gather, 1, n, tables));
  for (int i = 0; i < n && st == TRIAD_OK; i++) {
    uint64_t sum = 0;
    triad_lines_sum(tables[i].first, tables[i].count, tables[i].width * (int64_t)sizeof(double), tables[i].values,
                    INT64_MAX, &sum);
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, ctx->comm.mpi)));
    st = triad_agree(&ctx->comm, triad_notes_set_integer(notes, note_of(text, tables[i].name), (int64_t)sum));
  }
  return st;
}

int triad_tables_has(const triad_notes *notes, const char *name)
{
  char text[TEXT];
  return triad_notes_has(notes, note_of(text, name));
}

const char *triad_tables_name(const char *note)
{
  return strncmp(note, stem, strlen(stem)) == 0 ? note + strlen(stem) : NULL;
}

static int open_at(const char *folder, char path[TRIAD_PATH], triad_h5 **file)
{
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_TABLES_FILE, folder));
  int st = triad_h5_open(file, path);
  return st == TRIAD_ERR_INPUT ? TRIAD_FAIL(TRIAD_ERR_CASE, "%s: missing, although the manifest lists it", path) : st;
}

int triad_tables_size(const char *folder, const char *name, int64_t *rows, int64_t *width)
{
  char path[TRIAD_PATH];
  triad_h5 *file;
  int n_dims = 0;
  int64_t dims[TRIAD_H5_DIMS] = {0};
  TRIAD_TRY(open_at(folder, path, &file));
  int st = triad_h5_dims(file, name, &n_dims, dims, NULL);
  if (st == TRIAD_OK && n_dims != 2) st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s is not a table", path, name);
  *rows = dims[0];
  *width = dims[1];
  return triad_h5_close(&file, st);
}

int triad_tables_read(const char *folder, const char *name, int64_t width, int64_t first, int64_t count, double *values)
{
  char path[TRIAD_PATH];
  triad_h5 *file;
  const int64_t at[2] = {first, 0}, size[2] = {count, width};
  if (count == 0) return TRIAD_OK;
  TRIAD_TRY(open_at(folder, path, &file));
  return triad_h5_close(&file, triad_h5_read(file, name, 2, at, size, 8, values));
}

static int check_one(const char *folder, const char *name, uint64_t wanted)
{
  int64_t rows = 0, width = 0;
  uint64_t sum = 0;
  TRIAD_TRY(triad_tables_size(folder, name, &rows, &width));
  if (width < 1 || width > 1024)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s/" TRIAD_TABLES_FILE ": damaged: table %s", folder, name);
  double *piece = malloc((size_t)(PIECE * width) * sizeof *piece);
  int st = piece ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a piece of a table");
  for (int64_t at = 0; at < rows && st == TRIAD_OK; at += PIECE) {
    int64_t n = rows - at < PIECE ? rows - at : PIECE;
    st = triad_tables_read(folder, name, width, at, n, piece);
    if (st == TRIAD_OK) triad_lines_sum(at, n, width * (int64_t)sizeof *piece, piece, INT64_MAX, &sum);
  }
  free(piece);
  if (st != TRIAD_OK || sum == wanted) return st;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s/" TRIAD_TABLES_FILE ": damaged: table %s: the checksum does not match", folder,
                    name);
}

int triad_tables_check(const char *folder, const triad_notes *notes)
{
  for (int i = 0; i < notes->count; i++) {
    const triad_note_item *item = &notes->items[i];
    if (item->kind == TRIAD_NOTE_INTEGER && strncmp(item->name, stem, sizeof stem - 1) == 0)
      TRIAD_TRY(check_one(folder, item->name + sizeof stem - 1, (uint64_t)item->integer));
  }
  return TRIAD_OK;
}
