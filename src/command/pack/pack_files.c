/* One file after the other: packed under a temporary name, proven, renamed. */
#include "command/pack/pack.h"

#include "store/checkpoint/commit.h"
#include "store/checkpoint/inspect.h"
#include "store/hdf5/repack.h"
#include "store/rows/seriestable.h"
#include "store/checkpoint/tables.h"
#include "store/fields/fieldfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEEP = 2 };

/* Told, and counted: the next file has its turn. Being out of disk or memory ends all. */
static int note_failure(triad_pack *p, int status)
{
  if (status == TRIAD_OK) return TRIAD_OK;
  triad_log_clear(p->log);
  triad_message_print(-1);
  triad_message_clear();
  p->failed++;
  if (status > p->status) p->status = status;
  return status == TRIAD_ERR_CASE || status == TRIAD_ERR_INPUT ? TRIAD_OK : status;
}

static void note_success(triad_pack *p, const char *name, const triad_repack_report *r)
{
  if (r->already) {
    p->already++;
    return;
  }
  p->packed++;
  p->before += r->before;
  p->after += r->after;
  triad_log_info(p->log, "%s: %.3f MB to %.3f MB, %.0f%%", name, 1e-6 * (double)r->before, 1e-6 * (double)r->after,
                 100 * (double)r->after / (double)(r->before > 0 ? r->before : 1));
}

/* Replace FOLDER/NAME by its packed copy. */
static int pack_one(triad_pack *p, const char *folder, const char *name, int single)
{
  char from[TRIAD_PATH], to[TRIAD_PATH];
  triad_repack_report report;
  struct stat about;
  TRIAD_TRY(triad_disk_path(from, "%s/%s", folder, name));
  TRIAD_TRY(triad_disk_path(to, "%s/.tmp-pack-%s", folder, name));
  TRIAD_TRY(triad_disk_remove(to)); /* left when packing was killed */
  if (lstat(from, &about) != 0 || !S_ISREG(about.st_mode))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not a regular file", from);
  const triad_repack job = {.from = from, .to = to, .level = p->level, .single = single};
  TRIAD_TRY(triad_repack_file(&job, &report));
  if (!report.already) TRIAD_TRY(triad_disk_commit(to, from));
  note_success(p, from, &report);
  return TRIAD_OK;
}

static void show(const triad_pack *p, const char *folder, int done, int all)
{
  char text[200];
  (void)snprintf(text, sizeof text, "packing %.100s: %d of %d files", folder, done, all);
  triad_log_progress(p->log, text, done == all);
}

int triad_pack_folder(triad_pack *p, const char *part, const char *prefix, int single)
{
  char folder[TRIAD_PATH];
  struct dirent **list = NULL;
  TRIAD_TRY(triad_disk_path(folder, "%s/%s", p->run, part));
  int n = scandir(folder, &list, NULL, alphasort), all = 0, done = 0, st = TRIAD_OK;
  if (n < 0) return errno == ENOENT ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", folder, strerror(errno));
  for (int i = 0; i < n; i++) all += triad_path_numbered(list[i]->d_name, prefix);
  for (int i = 0; i < n; i++) {
    if (st == TRIAD_OK && triad_path_numbered(list[i]->d_name, prefix)) {
      st = note_failure(p, pack_one(p, folder, list[i]->d_name, single));
      if (st == TRIAD_OK) show(p, folder, ++done, all);
    }
    free(list[i]);
  }
  free(list);
  return st;
}

/* ---- checkpoints ---- */

/* archive/modes-00000010.h5, of that file in the folder of the checkpoint, with the manifest in it. */
static int archive_file(triad_pack *p, int64_t step, const char *folder, const char *file, const char *manifest)
{
  char from[TRIAD_PATH], to[TRIAD_PATH], final[TRIAD_PATH];
  int stem = (int)strcspn(file, ".");
  triad_repack_report report;
  TRIAD_TRY(triad_disk_path(from, "%s/%s", folder, file));
  TRIAD_TRY(triad_disk_path(to, "%s/archive/.tmp-%.*s-%08lld.h5", p->run, stem, file, (long long)step));
  TRIAD_TRY(triad_disk_path(final, "%s/archive/%.*s-%08lld.h5", p->run, stem, file, (long long)step));
  TRIAD_TRY(triad_disk_remove(to));
  const triad_repack job = {.from = from, .to = to, .level = p->level, .manifest = manifest};
  TRIAD_TRY(triad_repack_file(&job, &report));
  TRIAD_TRY(triad_disk_commit(to, final));
  note_success(p, from, &report);
  return TRIAD_OK;
}

/* Its modes, and its particles if it has any, compressed, each with its manifest; then the checkpoint goes. Sums of
 * running means, which only a run that resumes has a use for, go with it. */
static int archive_one(triad_pack *p, int64_t step, const char *folder, const triad_manifest *about)
{
  char archive[TRIAD_PATH], manifest[TRIAD_PATH], tables[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0;
  struct stat there;
  TRIAD_TRY(triad_disk_path(manifest, "%s/" TRIAD_MANIFEST_FILE, folder));
  TRIAD_TRY(triad_disk_path(tables, "%s/" TRIAD_TABLES_FILE, folder));
  TRIAD_TRY(triad_disk_path(archive, "%s/archive", p->run));
  TRIAD_TRY(triad_disk_make_folder(archive));
  TRIAD_TRY(triad_disk_load(manifest, 16 << 20, &text, &bytes));
  int st = archive_file(p, step, folder, triad_manifest_file(about), text);
  if (st == TRIAD_OK && stat(tables, &there) == 0) st = archive_file(p, step, folder, TRIAD_TABLES_FILE, text);
  free(text);
  return st == TRIAD_OK ? triad_commit_delete(p->run, step) : st; /* only now */
}

/* From the newest on: count valid checkpoints until enough exist to resume from. */
int triad_pack_checkpoints(triad_pack *p)
{
  int64_t *steps = NULL;
  int count = 0, valid = 0, st = TRIAD_OK;
  TRIAD_TRY(triad_commit_list(p->run, &steps, &count));
  for (int i = 0; i < count && st == TRIAD_OK; i++) {
    char temporary[TRIAD_PATH], folder[TRIAD_PATH];
    triad_manifest *about = NULL;
    st = triad_commit_names(p->run, steps[i], temporary, folder);
    if (st != TRIAD_OK) break;
    int is = triad_checkpoint_verify(folder, &about);
    if (is == TRIAD_OK && valid++ >= KEEP) is = archive_one(p, steps[i], folder, about);
    triad_manifest_destroy(&about);
    st = note_failure(p, is);
    show(p, "checkpoints", i + 1, count);
  }
  free(steps);
  return st;
}

/* ---- series ---- */

static int add_piece(triad_log *log, triad_series_table *table, const char *piece)
{
  char path[TRIAD_PATH];
  int is_run = triad_path_look(piece) == TRIAD_PATH_RUN;
  TRIAD_TRY(triad_disk_path(path, is_run ? "%s/series.csv" : "%s", piece));
  TRIAD_TRY(triad_series_table_add(table, path));
  if (table->gone > 0)
    triad_log_warning(log, "%lld rows of the pieces before %s were replaced, because it starts at an earlier step%s",
                      (long long)table->gone, piece,
                      table->gone > table->rows / 2
                        ? "; a branch continues the series of its original run if initial.keep_time = true"
                        : "");
  return TRIAD_OK;
}

int triad_pack_series(triad_log *log, const char *out, int n, const char *const *pieces, int replace)
{
  char temporary[TRIAD_PATH], folder[TRIAD_PATH];
  triad_series_table table = {0};
  const char *slash = strrchr(out, '/');
  struct stat about;
  size_t length = strlen(out);
  int st = TRIAD_OK;
  if (length > 4 && strcmp(out + length - 4, ".csv") == 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "%s: joined series are written as HDF5: use a name such as series.h5", out);
  for (int i = 0; i < n && st == TRIAD_OK; i++) st = add_piece(log, &table, pieces[i]);
  if (st == TRIAD_OK) st = triad_disk_path(folder, "%.*s", slash ? (int)(slash - out) + 1 : 1, slash ? out : ".");
  if (st == TRIAD_OK) st = triad_disk_path(temporary, "%s/.tmp-%s", folder, slash ? slash + 1 : out);
  if (st == TRIAD_OK && !replace && lstat(out, &about) == 0)
    st = TRIAD_FAIL(TRIAD_ERR_USAGE, "%s already exists: give a new file first, then the pieces", out);
  if (st == TRIAD_OK) st = triad_disk_remove(temporary);
  if (st == TRIAD_OK) st = triad_series_table_write(&table, temporary);
  if (st == TRIAD_OK) st = triad_disk_commit(temporary, out);
  if (st == TRIAD_OK) triad_log_info(log, "%s: %lld rows of %d columns", out, (long long)table.rows, table.n_columns);
  triad_series_table_free(&table);
  return st;
}
