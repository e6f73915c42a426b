#include "store/modefile.h"

#include "store/lines.h"
#include "store/disk.h"

#include <stdlib.h>
#include <xxhash.h>

enum { STAGING = 4 << 20, PIECE = 1 << 20 };

static int by_offset(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int hash_range(int fd, const char *path, XXH3_state_t *state, char *piece, int64_t from, int64_t to)
{
  while (from < to) {
    int64_t n = to - from < PIECE ? to - from : PIECE;
    TRIAD_TRY(triad_disk_read(fd, path, piece, n, from));
    (void)XXH3_64bits_update(state, piece, (size_t)n);
    from += n;
  }
  return TRIAD_OK;
}

int triad_modefile_header(int fd, const char *path, const triad_manifest *m, uint64_t *hash)
{
  int64_t *offsets = malloc((size_t)m->n_fields * sizeof *offsets), bytes = triad_manifest_field_bytes(m), at = 0;
  if (!offsets) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: offsets of %d fields", path, m->n_fields);
  for (int f = 0; f < m->n_fields; f++) offsets[f] = m->fields[f].offset;
  qsort(offsets, (size_t)m->n_fields, sizeof *offsets, by_offset);
  XXH3_state_t *state = XXH3_createState();
  char *piece = malloc(PIECE);
  int st = state && piece ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer of %d bytes", path, PIECE);
  if (st == TRIAD_OK) (void)XXH3_64bits_reset(state);
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = hash_range(fd, path, state, piece, at, offsets[f]);
    at = offsets[f] + bytes;
  }
  if (st == TRIAD_OK) st = hash_range(fd, path, state, piece, at, m->file_bytes);
  if (st == TRIAD_OK) *hash = XXH3_64bits_digest(state);
  free(piece);
  free(offsets);
  (void)XXH3_freeState(state);
  return st;
}

int triad_modefile_read(int fd, const char *path, const triad_manifest *m, int field, int64_t first, int64_t count,
                     void *buffer, int64_t lines, uint64_t *sums, triad_modefile_use *use, void *who)
{
  int64_t line_bytes = triad_manifest_line_bytes(m);
  for (int64_t at = 0; at < count; at += lines) {
    int64_t n = count - at < lines ? count - at : lines;
    TRIAD_TRY(triad_disk_read(fd, path, buffer, n * line_bytes, m->fields[field].offset + (first + at) * line_bytes));
    triad_lines_sum(first + at, n, line_bytes, buffer, m->block_columns, sums);
    if (use) TRIAD_TRY(use(who, at, n, buffer));
  }
  return TRIAD_OK;
}

int triad_modefile_add_sums(const triad_comm *comm, uint64_t *sums, int64_t n)
{
  int count;
  TRIAD_TRY(triad_narrow(n, &count));
  return TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_UINT64_T, MPI_SUM, comm->mpi));
}

int64_t triad_modefile_lines(const triad_manifest *m, int64_t lanes, int64_t columns)
{
  int64_t lines = STAGING / triad_manifest_line_bytes(m), wanted = (columns + lanes - 1) / lanes * lanes;
  lines = lines / lanes * lanes;
  if (lines > wanted) lines = wanted;
  return lines < lanes ? lanes : lines;
}
