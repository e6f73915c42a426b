#include "store/checkpoint.h"

#include "store/checkpoint_make.h"
#include "store/lines.h"
#include "store/commit.h"
#include "store/gather.h"
#include "store/modejob.h"

/* Columns at .. at + n - 1 of this rank, of a field: into the buffer, their checksums into the manifest. */
static int pack(triad_modejob *j, const triad_layout *l, triad_manifest *m, int field, int64_t at, int64_t n,
                const triad_cplx *values)
{
  int64_t bad = triad_lines_pack(l, at, n, m->element, values, j->buffer);
  triad_lines_sum(l->column_begin[l->rank] + at, n, m->nkz * 2 * m->element, j->buffer, m->block_columns,
                  m->fields[field].sums);
  if (bad == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "no checkpoint at step %lld: %lld values of field %s are not finite",
                    (long long)m->step, (long long)bad, m->fields[field].name);
}

/* Write this rank's columns of all fields, and their checksums into the manifest: its own share of each. */
static int write_columns(triad_modejob *j, const triad_layout *l, triad_manifest *m, triad_cplx *const *fields)
{
  int64_t begin = l->column_begin[l->rank], line_bytes = m->nkz * 2 * m->element;
  TRIAD_TRY(triad_gather_open(&j->ctx->comm, j->path, &j->fd));
  for (int f = 0; f < m->n_fields; f++)
    for (int64_t at = 0; at < l->n_columns; at += j->lines) {
      int64_t n = l->n_columns - at < j->lines ? l->n_columns - at : j->lines;
      TRIAD_TRY(pack(j, l, m, f, at, n, fields[f]));
      triad_watchdog_at(j->ctx->watch, "writing its columns of a checkpoint");
      TRIAD_TRY(triad_disk_write(j->fd, j->path, j->buffer, n * line_bytes,
                                 m->fields[f].offset + (begin + at) * line_bytes));
    }
  triad_watchdog_at(j->ctx->watch, "flushing its columns of a checkpoint to the disk");
  return triad_disk_sync(j->fd, j->path);
}

/* The same through rank 0. A rank that has failed brings nothing more, but takes part in every round. Collective. */
static int gather_columns(triad_modejob *j, const triad_layout *l, triad_manifest *m, triad_cplx *const *fields)
{
  const triad_comm *comm = &j->ctx->comm;
  int64_t begin = l->column_begin[l->rank], line_bytes = m->nkz * 2 * m->element, rounds;
  int root = comm->rank == 0;
  int st = root ? triad_disk_open(j->path, 1, &j->fd) : TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_gather_rounds(comm, (l->n_columns + j->lines - 1) / j->lines, &rounds));
  for (int f = 0; f < m->n_fields; f++)
    for (int64_t i = 0; i < rounds; i++) {
      int64_t at = i * j->lines, n = l->n_columns - at < j->lines ? l->n_columns - at : j->lines;
      if (n < 0 || st != TRIAD_OK) n = 0;
      if (n > 0) st = pack(j, l, m, f, at, n, fields[f]);
      int round = triad_gather_write(comm, j->fd, j->path, j->buffer, n * line_bytes,
                                     m->fields[f].offset + (begin + at) * line_bytes, j->buffer, j->lines * line_bytes);
      if (st == TRIAD_OK) st = round;
    }
  if (root && st == TRIAD_OK) st = triad_disk_sync(j->fd, j->path);
  return st;
}

int triad_checkpoint_write(const triad_context *ctx, const triad_layout *layout, const char *run_dir,
                           const triad_checkpoint_info *info, triad_cplx *const *fields, int keep)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_modejob j = {.fd = -1, .ctx = ctx};
  triad_manifest *m = NULL;
  int st = triad_manifest_create(&m, &layout->grid, layout->all_columns, layout->nkz, info->n_fields);
  if (st == TRIAD_OK) st = triad_checkpoint_make_describe(m, info);
  if (st == TRIAD_OK)
    st = triad_modejob_open(&j, ctx, m, layout->column_begin[layout->rank], layout->n_columns, layout->lanes);
  if (st == TRIAD_OK) st = triad_commit_names(run_dir, info->step, temporary, final);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/" TRIAD_MODES_FILE, temporary);
  st = triad_agree(&ctx->comm, st);
  if (st == TRIAD_OK) {
    st = triad_checkpoint_make_begin(&ctx->comm, run_dir, j.path, layout, m);
    if (st == TRIAD_OK)
      st = triad_modejob_seal(&j, m, info->gather,
                              (info->gather ? gather_columns : write_columns)(&j, layout, m, fields));
    st = triad_checkpoint_make_finish(&ctx->comm, run_dir, m, keep, st);
  }
  triad_modejob_close(&j);
  triad_manifest_destroy(&m);
  return st;
}
