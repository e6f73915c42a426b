#include "store/checkpoint.h"

#include "store/commit.h"
#include "store/lines.h"
#include "store/modejob.h"
#include "transpose/remap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sink {
  const triad_layout *layout;
  int element;
  triad_cplx *field;
  int64_t bad;
} sink;

static int take_lines(void *who, int64_t offset, int64_t count, const void *lines)
{
  sink *s = who;
  s->bad += triad_lines_unpack(s->layout, offset, count, s->element, lines, (int)sizeof(triad_real), s->field);
  return TRIAD_OK;
}

/* Collective: one field of the file, into the storage of the layout that the file was written from. */
static int read_field(triad_modejob *j, const triad_layout *l, const triad_manifest *m, int field, triad_cplx *out)
{
  sink s = {l, m->element, out, 0};
  memset(out, 0, (size_t)l->modes * sizeof *out);
  int st = triad_modefile_read(j->fd, j->path, m, field, j->begin, j->count, j->buffer, j->lines,
                            j->sums + field * m->n_blocks, take_lines, &s);
  TRIAD_TRY(triad_agree(&j->ctx->comm, st));
  TRIAD_TRY(triad_modefile_add_sums(&j->ctx->comm, j->sums + field * m->n_blocks, m->n_blocks));
  st = triad_modejob_check(j, m, field, 0, m->n_blocks - 1);
  if (st == TRIAD_OK && s.bad)
    st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld values of field %s are not finite in " TRIAD_PRECISION_NAME " precision",
                    j->path, (long long)s.bad, m->fields[field].name);
  return triad_agree(&j->ctx->comm, st);
}

static int check_fit(const triad_layout *l, const char *folder, const triad_manifest *m, int n_fields,
                     const char *const *names)
{
  if (m->points)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a checkpoint of solver %s holds values at points, modes are wanted: start from "
                                      "its fields, initial.kind = \"file\"", folder, m->solver);
  for (int i = 0; i < 3; i++) {
    double there = m->grid.length[i], here = l->grid.length[i];
    if (!(fabs(there - here) <= 1e-12 * here))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its box has length %.17g along %c, this run's %.17g", folder, there,
                        "xyz"[i], here);
  }
  for (int f = 0; f < n_fields; f++) {
    if (triad_manifest_find(m, names[f]) >= 0) continue;
    char there[512] = "";
    for (int g = 0, n = 0; g < m->n_fields && n < (int)sizeof there; g++)
      n += snprintf(there + n, sizeof there - (size_t)n, "%s%s", g ? ", " : "", m->fields[g].name);
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no field %s in this checkpoint of solver %s; there are %s", folder, names[f],
                      m->solver, there);
  }
  return TRIAD_OK;
}

/* The layout that the file was written from, dealt as this run is. Made only after the size of the file has shown that
 * the manifest's counts are not invented. */
static int file_layout(triad_layout **out, const triad_layout *l, const char *folder, const triad_manifest *m)
{
  TRIAD_TRY(triad_layout_create(out, &m->grid, l->rank, l->size, l->lanes));
  if ((*out)->all_columns == m->columns && (*out)->nkz == m->nkz) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld columns of %lld; this version of Triad has %lld of %lld on that grid",
                    folder, (long long)m->columns, (long long)m->nkz, (long long)(*out)->all_columns,
                    (long long)(*out)->nkz);
}

static int same_modes(const triad_grid *a, const triad_grid *b)
{
  return memcmp(a->n, b->n, sizeof a->n) == 0 && a->truncation == b->truncation;
}

static int read_all(triad_modejob *j, const triad_layout *file, const triad_layout *layout, const triad_manifest *m, int n_fields,
                    const char *const *names, triad_cplx *const *fields, triad_cplx *aside, double *dropped)
{
  for (int f = 0; f < n_fields; f++) {
    double lost = 0;
    triad_cplx *target = aside ? aside : fields[f];
    TRIAD_TRY(read_field(j, file, m, triad_manifest_find(m, names[f]), target));
    if (aside) TRIAD_TRY(triad_remap(&j->ctx->comm, file, &aside, layout, &fields[f], 1, &lost));
    *dropped += lost;
  }
  return TRIAD_OK;
}

int triad_checkpoint_read(const triad_context *ctx, const triad_layout *layout, const char *folder,
                          const triad_manifest *about, int n_fields, const char *const *names,
                          triad_cplx *const *fields, double *dropped)
{
  triad_layout *file = NULL;
  triad_cplx *aside = NULL;
  double lost = 0;
  triad_modejob j = {.fd = -1, .ctx = ctx};
  int st = check_fit(layout, folder, about, n_fields, names);
  if (st == TRIAD_OK) st = file_layout(&file, layout, folder, about);
  if (st == TRIAD_OK && !same_modes(&file->grid, &layout->grid))
    st = TRIAD_TAKE(ctx->memory, "a field of the checkpoint's grid", file->modes, &aside);
  if (st == TRIAD_OK) st = triad_modejob_open(&j, ctx, about, file->column_begin[file->rank], file->n_columns, file->lanes);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/" TRIAD_MODES_FILE, folder);
  if (st == TRIAD_OK) st = triad_disk_open(j.path, 0, &j.fd);
  st = triad_agree(&ctx->comm, st);
  if (st == TRIAD_OK) st = read_all(&j, file, layout, about, n_fields, names, fields, aside, &lost);
  triad_modejob_close(&j);
  TRIAD_GIVE(ctx->memory, &aside);
  triad_layout_destroy(&file);
  if (dropped) *dropped = lost;
  return st;
}
