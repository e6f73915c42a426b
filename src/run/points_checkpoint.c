#include "run/making.h"
#include "run/points.h"
#include "run/store/commit.h"
#include "run/store/disk.h"
#include "run/store/gather.h"
#include "run/store/lines.h"
#include "run/store/modefile.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>

/* What writing or reading works with on a rank. */
typedef struct job {
  triad_points *points;
  triad_manifest *m;     /* being made; NULL when reading             */
  const triad_manifest *about;
  char path[TRIAD_PATH];
  int fd;
  int gather;            /* rank 0 writes for all                     */
  int64_t first, count;  /* this rank's rows                          */
  int64_t lines;         /* rows that the buffer holds                */
  char *buffer;
  uint64_t *sums;        /* [n_fields][n_blocks] of what was read     */
} job;

static int job_open(job *j, triad_points *points, const triad_manifest *about)
{
  triad_memory *memory = points->context->memory;
  j->points = points;
  j->about = about;
  j->first = triad_rows_first(points->rows);
  j->count = triad_rows_count(points->rows);
  j->lines = triad_modefile_lines(about, 1, j->count);
  TRIAD_TRY(TRIAD_TAKE(memory, "checkpoint staging", j->lines * triad_manifest_line_bytes(about), &j->buffer));
  return TRIAD_TAKE(memory, "checkpoint checksums", about->n_fields * about->n_blocks, &j->sums);
}

static void job_close(job *j)
{
  triad_memory *memory = j->points ? j->points->context->memory : NULL;
  (void)triad_disk_close(&j->fd, j->path);
  if (memory) TRIAD_GIVE(memory, &j->buffer);
  if (memory) TRIAD_GIVE(memory, &j->sums);
}

/* Add the checksums of this rank's rows of a field to the manifest. */
static int sum_values(const job *j, int field)
{
  const triad_manifest *m = j->m;
  const triad_real *values = j->points->planes;
  int64_t bad = 0;
#pragma omp parallel for reduction(+ : bad) schedule(static)
  for (int64_t i = 0; i < j->count * m->nkz; i++) bad += !isfinite(values[i]);
  if (bad)
    return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "no checkpoint at step %lld: %lld values of field %s are not finite",
                      (long long)m->step, (long long)bad, m->fields[field].name);
  triad_lines_sum(j->first, j->count, triad_manifest_line_bytes(m), values, m->block_columns, m->fields[field].sums);
  return TRIAD_OK;
}

/* This rank's rows of a field, which are whole lines of the file one after another; with `gather`, which makes it
 * collective, through rank 0, and none of a rank that has failed. */
static int write_rows(job *j, int field, int status)
{
  const triad_manifest *m = j->m;
  int64_t line_bytes = triad_manifest_line_bytes(m), offset = m->fields[field].offset + j->first * line_bytes;
  int st = status == TRIAD_OK ? sum_values(j, field) : status;
  if (j->gather) {
    int round = triad_gather_write(&j->points->context->comm, j->fd, j->path, j->points->planes,
                                   st == TRIAD_OK ? j->count * line_bytes : 0, offset, j->buffer, j->lines * line_bytes);
    return st == TRIAD_OK ? round : st;
  }
  return st == TRIAD_OK ? triad_disk_write(j->fd, j->path, j->points->planes, j->count * line_bytes, offset) : st;
}

/* Collective: with `gather`, rank 0 alone, and a failure to open ends all. */
static int open_file(job *j)
{
  const triad_comm *comm = &j->points->context->comm;
  if (!j->gather) return triad_gather_open(comm, j->path, &j->fd);
  return triad_agree(comm, comm->rank == 0 ? triad_disk_open(j->path, 1, &j->fd) : TRIAD_OK);
}

/* A rank that fails goes on gathering, for the others. Collective, but the status is each rank's own. */
static int write_fields(job *j, triad_real *const *fields)
{
  int st = open_file(j);
  if (j->gather) TRIAD_TRY(st);
  for (int f = 0; f < j->m->n_fields; f++) {
    int gathered = triad_rows_gather(j->points->rows, &j->points->blocks, fields[f], j->points->planes);
    if (st == TRIAD_OK) st = gathered;
    st = write_rows(j, f, st);
  }
  return st == TRIAD_OK && j->fd >= 0 ? triad_disk_sync(j->fd, j->path) : st;
}

/* Rows `first` .. `first` + `count` - 1 of this rank, as they are on the disk: their sums. */
static int sum_rows(job *j, int field, int64_t first, int64_t count)
{
  return triad_modefile_read(j->fd, j->path, j->about, field, first, count, j->buffer, j->lines,
                             j->sums + field * j->about->n_blocks, NULL, NULL);
}

/* This rank's share of the first and the last block of each field, back from the disk, where it lets us. */
static int read_back(job *j)
{
  const triad_manifest *m = j->about;
  int64_t begin = j->first, end = j->first + j->count;
  if (j->gather) { /* rank 0 alone can */
    begin = 0;
    end = j->points->context->comm.rank == 0 ? m->columns : 0;
  }
  (void)posix_fadvise(j->fd, 0, 0, POSIX_FADV_DONTNEED);
  for (int f = 0; f < m->n_fields; f++)
    for (int64_t b = 0; b < m->n_blocks; b += m->n_blocks > 1 ? m->n_blocks - 1 : 1) {
      int64_t first = b * m->block_columns, last = first + m->block_columns;
      if (first < begin) first = begin;
      if (last > end) last = end;
      if (first < last) TRIAD_TRY(sum_rows(j, f, first, last - first));
    }
  return TRIAD_OK;
}

static int check_block(const job *j, int field, int64_t b)
{
  const triad_manifest *m = j->about;
  if (j->sums[field * m->n_blocks + b] == m->fields[field].sums[b]) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: field %s, block %lld of %lld: the checksum does not match", j->path,
                    m->fields[field].name, (long long)b, (long long)m->n_blocks);
}

/* Collective: data on the disk, checksums of all ranks in every rank's manifest, ends of the arrays read back. */
static int write_points(job *j, triad_real *const *fields)
{
  const triad_comm *comm = &j->points->context->comm;
  const triad_manifest *m = j->about;
  TRIAD_TRY(triad_agree(comm, write_fields(j, fields)));
  for (int f = 0; f < m->n_fields; f++) TRIAD_TRY(triad_modefile_add_sums(comm, m->fields[f].sums, m->n_blocks));
  TRIAD_TRY(triad_agree(comm, read_back(j)));
  TRIAD_TRY(triad_modefile_add_sums(comm, j->sums, m->n_fields * m->n_blocks));
  int st = TRIAD_OK;
  for (int f = 0; f < m->n_fields && st == TRIAD_OK; f++) {
    st = check_block(j, f, 0);
    if (st == TRIAD_OK) st = check_block(j, f, m->n_blocks - 1);
  }
  if (st != TRIAD_OK) st = TRIAD_ERR_IO; /* it is the disk that gave back something else */
  int closed = triad_disk_close(&j->fd, j->path);
  return triad_agree(comm, st == TRIAD_OK ? closed : st);
}

int triad_points_checkpoint(triad_points *points, const char *run_dir, const triad_checkpoint_info *info,
                            triad_real *const *fields, int keep)
{
  const triad_comm *comm = &points->context->comm;
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  job j = {.fd = -1, .gather = info->gather};
  int st = triad_manifest_create_points(&j.m, &points->layout->grid, info->n_fields);
  if (st == TRIAD_OK) st = triad_making_describe(j.m, info);
  if (st == TRIAD_OK) st = job_open(&j, points, j.m);
  if (st == TRIAD_OK) st = triad_commit_names(run_dir, info->step, temporary, final);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/" TRIAD_POINTS_FILE, temporary);
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) {
    st = triad_making_begin(comm, run_dir, j.path, NULL, j.m);
    if (st == TRIAD_OK) st = write_points(&j, fields);
    st = triad_making_finish(comm, run_dir, j.m, keep, st);
  }
  job_close(&j);
  triad_manifest_destroy(&j.m);
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

/* Rows of the file into planes, with conversion between precisions. */
static int take_rows(void *who, int64_t offset, int64_t count, const void *lines)
{
  job *j = who;
  int64_t n = count * j->about->nkz;
  triad_real *to = j->points->planes + offset * j->about->nkz;
  const float *singles = lines;
  const double *doubles = lines;
  for (int64_t i = 0; i < n; i++) to[i] = j->about->element == 4 ? (triad_real)singles[i] : (triad_real)doubles[i];
  return TRIAD_OK;
}

static int count_bad(const job *j, int field)
{
  int64_t bad = 0;
  for (int64_t i = 0; i < j->count * j->about->nkz; i++) bad += !isfinite(j->points->planes[i]);
  if (bad == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %lld values of field %s are not finite in " TRIAD_PRECISION_NAME " precision",
                    j->path, (long long)bad, j->about->fields[field].name);
}

/* Collective: a field of the file into its block, all of its checksums compared. */
static int read_field(job *j, int field, triad_real *out)
{
  const triad_comm *comm = &j->points->context->comm;
  const triad_manifest *m = j->about;
  uint64_t *sums = j->sums + field * m->n_blocks;
  int st = triad_modefile_read(j->fd, j->path, m, field, j->first, j->count, j->buffer, j->lines, sums, take_rows, j);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_modefile_add_sums(comm, sums, m->n_blocks));
  for (int64_t b = 0; b < m->n_blocks && st == TRIAD_OK; b++) st = check_block(j, field, b);
  if (st == TRIAD_OK) st = count_bad(j, field);
  TRIAD_TRY(triad_agree(comm, st));
  return triad_rows_scatter(j->points->rows, j->points->planes, &j->points->blocks, out);
}

int triad_points_restore(triad_points *points, const char *folder, const triad_manifest *about, int n_fields,
                         const char *const *names, triad_real *const *fields)
{
  const triad_comm *comm = &points->context->comm;
  job j = {.fd = -1};
  int st = check_fit(&points->layout->grid, folder, about, n_fields, names);
  if (st == TRIAD_OK) st = job_open(&j, points, about);
  if (st == TRIAD_OK) st = triad_disk_path(j.path, "%s/%s", folder, triad_manifest_file(about));
  if (st == TRIAD_OK) st = triad_disk_open(j.path, 0, &j.fd);
  st = triad_agree(comm, st);
  for (int f = 0; f < n_fields && st == TRIAD_OK; f++)
    st = read_field(&j, triad_manifest_find(about, names[f]), fields[f]);
  job_close(&j);
  return st;
}
