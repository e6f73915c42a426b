#include "store/modefile.h"

#include "store/lines.h"
#include "store/disk.h"

#include <stdlib.h>
#include <xxhash.h>

enum { STAGING = 4 << 20, PIECE = 1 << 20 };

typedef struct array {
  int64_t offset, bytes;
} array;

static int by_offset(const void *a, const void *b)
{
  int64_t x = ((const array *)a)->offset, y = ((const array *)b)->offset;
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
  array *arrays = malloc((size_t)m->n_fields * sizeof *arrays);
  int64_t at = 0;
  if (!arrays) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: places of %d fields", path, m->n_fields);
  for (int f = 0; f < m->n_fields; f++) arrays[f] = (array){m->fields[f].offset, triad_manifest_field_bytes(m, f)};
  qsort(arrays, (size_t)m->n_fields, sizeof *arrays, by_offset);
  XXH3_state_t *state = XXH3_createState();
  char *piece = malloc(PIECE);
  int st = state && piece ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a buffer of %d bytes", path, PIECE);
  if (st == TRIAD_OK) (void)XXH3_64bits_reset(state);
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = hash_range(fd, path, state, piece, at, arrays[f].offset);
    at = arrays[f].offset + arrays[f].bytes;
  }
  if (st == TRIAD_OK) st = hash_range(fd, path, state, piece, at, m->file_bytes);
  if (st == TRIAD_OK) *hash = XXH3_64bits_digest(state);
  free(piece);
  free(arrays);
  (void)XXH3_freeState(state);
  return st;
}

int triad_modefile_read(int fd, const char *path, const triad_manifest *m, int field, int64_t first, int64_t count,
                     void *buffer, int64_t lines, uint64_t *sums, triad_modefile_use *use, void *who)
{
  int64_t line_bytes = triad_manifest_line_bytes(m, field);
  for (int64_t at = 0; at < count; at += lines) {
    int64_t n = count - at < lines ? count - at : lines;
    TRIAD_TRY(triad_disk_read(fd, path, buffer, n * line_bytes, m->fields[field].offset + (first + at) * line_bytes));
    triad_lines_sum(first + at, n, line_bytes, buffer, m->fields[field].block, sums);
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

int64_t triad_modefile_lines(int64_t line_bytes, int64_t wanted)
{
  int64_t lines = STAGING / line_bytes < wanted ? STAGING / line_bytes : wanted;
  return lines < 1 ? 1 : lines;
}
