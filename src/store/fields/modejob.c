/* Hold the open file, staging buffer and checksums of a checkpoint that is being written or read, and read the first
 * and last blocks back from the disk. */
#include "store/fields/modejob.h"

#include <fcntl.h>

/* A slab for each space; and the most reals that a field whose lines are not here already has as lines. */
static int make_slabs(triad_modejob *j, const triad_space *const *spaces, int64_t *most)
{
  for (int f = 0; f < j->n_fields; f++) {
    for (int g = 0; g < f && !j->slab[f]; g++)
      if (spaces[g] == spaces[f]) j->slab[f] = j->slab[g];
    if (!j->slab[f]) TRIAD_TRY(triad_slab_create(&j->slab[f], j->ctx, spaces[f]));
    int64_t reals = triad_slab_count(j->slab[f]) * triad_slab_reals(j->slab[f]);
    if (!triad_slab_is_direct(j->slab[f]) && reals > *most) *most = reals;
  }
  return TRIAD_OK;
}

static int allocate_buffers(triad_modejob *j, const triad_manifest *m, int64_t most)
{
  int64_t longest = triad_manifest_longest(m), wanted = 1;
  for (int f = 0; f < m->n_fields; f++) {
    int64_t lines = triad_manifest_line_bytes(m, f) * triad_slab_count(j->slab[f]) / longest + 1;
    if (lines > wanted) wanted = lines;
  }
  j->room = triad_modefile_lines(longest, wanted) * longest;
  TRIAD_TRY(TRIAD_ALLOC(j->ctx->memory, "checkpoint staging", j->room, &j->buffer));
  if (most > 0) TRIAD_TRY(TRIAD_ALLOC(j->ctx->memory, "lines of a field", most, &j->lines));
  return TRIAD_ALLOC(j->ctx->memory, "checkpoint checksums", triad_manifest_blocks(m, m->n_fields), &j->sums);
}

int triad_modejob_open(triad_modejob *j, const triad_context *ctx, const triad_manifest *m,
                       const triad_space *const *spaces)
{
  int64_t most = 0;
  j->ctx = ctx;
  j->fd = -1;
  j->n_fields = m->n_fields;
  TRIAD_TRY(triad_agree(&ctx->comm, TRIAD_ALLOC(ctx->memory, "checkpoint staging", m->n_fields, &j->slab)));
  TRIAD_TRY(make_slabs(j, spaces, &most));
  return triad_agree(&ctx->comm, allocate_buffers(j, m, most));
}

void triad_modejob_close(triad_modejob *j)
{
  (void)triad_disk_close(&j->fd, j->path);
  for (int f = 0; j->slab && f < j->n_fields; f++) {
    triad_slab *mine = j->slab[f];
    for (int g = f + 1; g < j->n_fields; g++)
      if (j->slab[g] == mine) j->slab[g] = NULL;
    triad_slab_destroy(&j->slab[f]);
  }
  TRIAD_FREE(j->ctx->memory, &j->slab);
  TRIAD_FREE(j->ctx->memory, &j->buffer);
  TRIAD_FREE(j->ctx->memory, &j->lines);
  TRIAD_FREE(j->ctx->memory, &j->sums);
}

int64_t triad_modejob_lines(const triad_modejob *j, const triad_manifest *m, int f)
{
  return j->room / triad_manifest_line_bytes(m, f);
}

int triad_modejob_check(const triad_modejob *j, const triad_manifest *m, int field, int64_t first, int64_t last)
{
  for (int64_t b = first; b <= last; b++)
    if (j->sums[triad_manifest_blocks(m, field) + b] != m->fields[field].sums[b])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: field %s, block %lld of %lld: the checksum does not match",
                        j->path, m->fields[field].name, (long long)b, (long long)m->fields[field].n_blocks);
  return TRIAD_OK;
}

/* This rank's share (through rank 0: everything) of the first and the last block of each field. */
static int read_back(triad_modejob *j, const triad_manifest *m, int gather)
{
  (void)posix_fadvise(j->fd, 0, 0, POSIX_FADV_DONTNEED);
  for (int f = 0; f < m->n_fields; f++) {
    const triad_manifest_field *field = &m->fields[f];
    int64_t begin = triad_slab_first(j->slab[f]), end = begin + triad_slab_count(j->slab[f]);
    if (gather) { /* rank 0 alone can */
      begin = 0;
      end = j->ctx->comm.rank == 0 ? field->lines : 0;
    }
    for (int64_t b = 0; b<field->n_blocks; b += field->n_blocks> 1 ? field->n_blocks - 1 : 1) {
      int64_t first = b * field->block, last = first + field->block;
      if (first < begin) first = begin;
      if (last > end) last = end;
      if (first < last)
        TRIAD_TRY(triad_modefile_read(j->fd, j->path, m, f, first, last - first, j->buffer,
                                      triad_modejob_lines(j, m, f), j->sums + triad_manifest_blocks(m, f), NULL, NULL));
    }
  }
  return TRIAD_OK;
}

int triad_modejob_seal(triad_modejob *j, triad_manifest *m, int gather, int status)
{
  const triad_comm *comm = &j->ctx->comm;
  triad_watchdog_at(j->ctx->watch, "waiting for the others' part of a checkpoint");
  TRIAD_TRY(triad_agree(comm, status));
  triad_watchdog_at(j->ctx->watch, "reading the ends of a checkpoint back, and committing it");
  for (int f = 0; f < m->n_fields; f++)
    TRIAD_TRY(triad_modefile_add_sums(comm, m->fields[f].sums, m->fields[f].n_blocks));
  TRIAD_TRY(triad_agree(comm, read_back(j, m, gather)));
  TRIAD_TRY(triad_modefile_add_sums(comm, j->sums, triad_manifest_blocks(m, m->n_fields)));
  int st = TRIAD_OK;
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = triad_modejob_check(j, m, f, 0, 0);
    if (st == TRIAD_OK) st = triad_modejob_check(j, m, f, m->fields[f].n_blocks - 1, m->fields[f].n_blocks - 1);
  }
  if (st != TRIAD_OK) st = TRIAD_ERR_IO; /* it is the disk that gave back something else */
  int closed = triad_disk_close(&j->fd, j->path);
  return triad_agree(comm, st == TRIAD_OK ? closed : st);
}
