#include "store/modejob.h"

#include <fcntl.h>

int triad_modejob_open(triad_modejob *j, const triad_context *ctx, const triad_manifest *m, int64_t begin, int64_t count,
                       int64_t lanes)
{
  j->ctx = ctx;
  j->begin = begin;
  j->count = count;
  j->fd = -1;
  j->lines = triad_modefile_lines(m, lanes, count);
  TRIAD_TRY(TRIAD_TAKE(ctx->memory, "checkpoint staging", j->lines * triad_manifest_line_bytes(m), &j->buffer));
  return TRIAD_TAKE(ctx->memory, "checkpoint checksums", m->n_fields * m->n_blocks, &j->sums);
}

void triad_modejob_close(triad_modejob *j)
{
  (void)triad_disk_close(&j->fd, j->path);
  TRIAD_GIVE(j->ctx->memory, &j->buffer);
  TRIAD_GIVE(j->ctx->memory, &j->sums);
}

int triad_modejob_check(const triad_modejob *j, const triad_manifest *m, int field, int64_t first, int64_t last)
{
  for (int64_t b = first; b <= last; b++)
    if (j->sums[field * m->n_blocks + b] != m->fields[field].sums[b])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: field %s, block %lld of %lld: the checksum does not match",
                        j->path, m->fields[field].name, (long long)b, (long long)m->n_blocks);
  return TRIAD_OK;
}

/* This rank's share (through rank 0: everything) of the first and the last block of each field. */
static int read_back(triad_modejob *j, const triad_manifest *m, int gather)
{
  int64_t begin = j->begin, end = begin + j->count;
  if (gather) { /* rank 0 alone can */
    begin = 0;
    end = j->ctx->comm.rank == 0 ? m->columns : 0;
  }
  (void)posix_fadvise(j->fd, 0, 0, POSIX_FADV_DONTNEED);
  for (int f = 0; f < m->n_fields; f++)
    for (int64_t b = 0; b < m->n_blocks; b += m->n_blocks > 1 ? m->n_blocks - 1 : 1) {
      int64_t first = b * m->block_columns, last = first + m->block_columns;
      if (first < begin) first = begin;
      if (last > end) last = end;
      if (first < last)
        TRIAD_TRY(triad_modefile_read(j->fd, j->path, m, f, first, last - first, j->buffer, j->lines,
                                      j->sums + f * m->n_blocks, NULL, NULL));
    }
  return TRIAD_OK;
}

int triad_modejob_seal(triad_modejob *j, triad_manifest *m, int gather, int status)
{
  const triad_comm *comm = &j->ctx->comm;
  triad_watchdog_at(j->ctx->watch, "waiting for the others' part of a checkpoint");
  TRIAD_TRY(triad_agree(comm, status));
  triad_watchdog_at(j->ctx->watch, "reading the ends of a checkpoint back, and committing it");
  for (int f = 0; f < m->n_fields; f++) TRIAD_TRY(triad_modefile_add_sums(comm, m->fields[f].sums, m->n_blocks));
  TRIAD_TRY(triad_agree(comm, read_back(j, m, gather)));
  TRIAD_TRY(triad_modefile_add_sums(comm, j->sums, m->n_fields * m->n_blocks));
  int st = TRIAD_OK;
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = triad_modejob_check(j, m, f, 0, 0);
    if (st == TRIAD_OK) st = triad_modejob_check(j, m, f, m->n_blocks - 1, m->n_blocks - 1);
  }
  if (st != TRIAD_OK) st = TRIAD_ERR_IO; /* it is the disk that gave back something else */
  int closed = triad_disk_close(&j->fd, j->path);
  return triad_agree(comm, st == TRIAD_OK ? closed : st);
}
