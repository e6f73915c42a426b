#include "store/checkpoint_make.h"
#include "store/points.h"
#include "store/commit.h"
#include "store/gather.h"
#include "store/lines.h"
#include "store/modejob.h"

#include <math.h>

static int open_job(triad_modejob *j, const triad_points *p, const triad_manifest *m)
{
  return triad_modejob_open(j, p->context, m, triad_rows_first(p->rows), triad_rows_count(p->rows), 1);
}

/* This rank's rows of a field, which are whole lines of the file one after another, are good: their checksums. */
static int sum_rows(const triad_modejob *j, triad_manifest *m, int field, const triad_real *rows)
{
  int64_t bad = 0;
#pragma omp parallel for reduction(+ : bad) schedule(static)
  for (int64_t i = 0; i < j->count * m->nkz; i++) bad += !isfinite(rows[i]);
  if (bad)
    return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "no checkpoint at step %lld: %lld values of field %s are not finite",
                      (long long)m->step, (long long)bad, m->fields[field].name);
  triad_lines_sum(j->begin, j->count, triad_manifest_line_bytes(m), rows, m->block_columns, m->fields[field].sums);
  return TRIAD_OK;
}

static int write_rows(const triad_modejob *j, const triad_manifest *m, int field, const triad_real *rows)
{
  int64_t line_bytes = triad_manifest_line_bytes(m);
  triad_watchdog_at(j->ctx->watch, "writing its points of a checkpoint");
  return triad_disk_write(j->fd, j->path, rows, j->count * line_bytes, m->fields[field].offset + j->begin * line_bytes);
}

/* The same through rank 0, which has the file open; a rank that has failed before brings nothing. Collective. */
static int gather_rows(const triad_modejob *j, const triad_manifest *m, int field, const triad_real *rows, int good)
{
  const triad_comm *comm = &j->ctx->comm;
  int64_t line_bytes = triad_manifest_line_bytes(m), rounds;
  int st = TRIAD_OK;
  TRIAD_TRY(triad_gather_rounds(comm, (j->count + j->lines - 1) / j->lines, &rounds));
  for (int64_t i = 0; i < rounds; i++) {
    int64_t at = i * j->lines, n = j->count - at < j->lines ? j->count - at : j->lines;
    if (n < 0 || !good) n = 0;
    const char *from = (const char *)rows + (n > 0 ? at * line_bytes : 0);
    int round = triad_gather_write(comm, j->fd, j->path, from, n * line_bytes,
                                   m->fields[field].offset + (j->begin + at) * line_bytes, j->buffer, j->lines * line_bytes);
    if (st == TRIAD_OK) st = round;
  }
  return st;
}

/* A rank that fails goes on gathering, for the others. Collective, but the status is each rank's own. */
static int write_fields(triad_modejob *j, triad_points *p, triad_manifest *m, triad_real *const *fields, int gather)
{
  const triad_comm *comm = &j->ctx->comm;
  int writes = !gather || comm->rank == 0;
  int st = !writes ? TRIAD_OK : gather ? triad_disk_open(j->path, 1, &j->fd) : triad_gather_open(comm, j->path, &j->fd);
  if (gather) TRIAD_TRY(triad_agree(comm, st));
  for (int f = 0; f < m->n_fields; f++) {
    int gathered = triad_rows_gather(p->rows, &p->blocks, fields[f], p->planes);
    if (st == TRIAD_OK) st = gathered;
    if (st == TRIAD_OK) st = sum_rows(j, m, f, p->planes);
    int written = gather ? gather_rows(j, m, f, p->planes, st == TRIAD_OK)
                         : st == TRIAD_OK ? write_rows(j, m, f, p->planes) : TRIAD_OK;
    if (st == TRIAD_OK) st = written;
  }
  return st == TRIAD_OK && writes ? triad_disk_sync(j->fd, j->path) : st;
}

int triad_points_checkpoint(triad_points *points, const char *run_dir, const triad_checkpoint_info *info,
                            triad_real *const *fields, int keep)
{
  const triad_comm *comm = &points->context->comm;
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  triad_modejob j = {.fd = -1, .ctx = points->context};
  triad_manifest *m = NULL;
  int st = triad_manifest_create_points(&m, &points->layout->grid, info->n_fields);
  if (st == TRIAD_OK) st = triad_checkpoint_make_describe(m, info);
  if (st == TRIAD_OK) st = open_job(&j, points, m);
  if (st == TRIAD_OK) st = triad_commit_names(run_dir, info->step, temporary, final);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/" TRIAD_POINTS_FILE, temporary);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    st = triad_checkpoint_make_begin(comm, run_dir, j.path, NULL, m);
    if (st == TRIAD_OK)
      st = triad_modejob_seal(&j, m, info->gather, write_fields(&j, points, m, fields, info->gather));
    st = triad_checkpoint_make_finish(comm, run_dir, m, keep, st);
  }
  triad_modejob_close(&j);
  triad_manifest_destroy(&m);
  return st;
}

/* ---- reading ---- */

static int check_fit(const triad_grid *here, const char *folder, const triad_manifest *m, int n_fields,
                     const char *const *names)
{
  if (!m->points)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a checkpoint of solver %s holds Fourier modes, values at points are wanted: "
                                      "start from its fields, initial.kind = \"file\"", folder, m->solver);
  for (int i = 0; i < 3; i++) {
    if (m->grid.n[i] != here->n[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its grid has %lld points along %c, this run's %lld", folder,
                        (long long)m->grid.n[i], "xyz"[i], (long long)here->n[i]);
    if (!(fabs(m->grid.length[i] - here->length[i]) <= 1e-12 * here->length[i]))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: its box has length %.17g along %c, this run's %.17g", folder,
                        m->grid.length[i], "xyz"[i], here->length[i]);
  }
  for (int f = 0; f < n_fields; f++)
    if (triad_manifest_find(m, names[f]) < 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no field %s in this checkpoint of solver %s", folder, names[f], m->solver);
  return TRIAD_OK;
}

/* Rows of a field on their way into planes. */
typedef struct sink {
  triad_real *planes;
  int64_t points; /* in a row */
  int element;
} sink;

static int take_rows(void *who, int64_t offset, int64_t count, const void *lines)
{
  const sink *s = who;
  triad_real *to = s->planes + offset * s->points;
  const float *singles = lines;
  const double *doubles = lines;
  for (int64_t i = 0; i < count * s->points; i++)
    to[i] = s->element == 4 ? (triad_real)singles[i] : (triad_real)doubles[i];
  return TRIAD_OK;
}

static int check_finite(const triad_modejob *j, const triad_manifest *m, int field, const triad_real *rows)
{
  int64_t bad = 0;
  for (int64_t i = 0; i < j->count * m->nkz; i++) bad += !isfinite(rows[i]);
  if (bad == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld values of field %s are not finite in " TRIAD_PRECISION_NAME " precision",
                    j->path, (long long)bad, m->fields[field].name);
}

/* Collective: a field of the file into its block, all of its checksums compared. */
static int read_field(triad_modejob *j, triad_points *p, const triad_manifest *m, int field, triad_real *out)
{
  const triad_comm *comm = &j->ctx->comm;
  uint64_t *sums = j->sums + field * m->n_blocks;
  sink s = {p->planes, m->nkz, m->element};
  int st = triad_modefile_read(j->fd, j->path, m, field, j->begin, j->count, j->buffer, j->lines, sums, take_rows, &s);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_modefile_add_sums(comm, sums, m->n_blocks));
  st = triad_modejob_check(j, m, field, 0, m->n_blocks - 1);
  if (st == TRIAD_OK) st = check_finite(j, m, field, p->planes);
  TRIAD_TRY(triad_agree(comm, st));
  return triad_rows_scatter(p->rows, p->planes, &p->blocks, out);
}

int triad_points_restore(triad_points *points, const char *folder, const triad_manifest *about, int n_fields,
                         const char *const *names, triad_real *const *fields)
{
  triad_modejob j = {.fd = -1, .ctx = points->context};
  int st = check_fit(&points->layout->grid, folder, about, n_fields, names);
  if (st == TRIAD_OK) st = open_job(&j, points, about);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/%s", folder, triad_manifest_file(about));
  if (st == TRIAD_OK) st = triad_disk_open(j.path, 0, &j.fd);
  st = triad_agree(&points->context->comm, st);
  for (int f = 0; f < n_fields && st == TRIAD_OK; f++)
    st = read_field(&j, points, about, triad_manifest_find(about, names[f]), fields[f]);
  triad_modejob_close(&j);
  return st;
}
