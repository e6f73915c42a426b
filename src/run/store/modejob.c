#include "run/store/modejob.h"

int triad_modejob_open(triad_modejob *j, const triad_context *ctx, const triad_layout *layout, const triad_manifest *m)
{
  j->ctx = ctx;
  j->layout = layout;
  j->fd = -1;
  j->lines = triad_modefile_lines(m, layout->lanes, layout->n_columns);
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
