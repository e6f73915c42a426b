/* Create, rename and delete the folders of checkpoints so that a crash at any call leaves a valid one. */
#include "store/checkpoint/commit.h"

#include "store/checkpoint/manifest.h"
#include "store/checkpoint/manifest_parse.h"
#include "store/checkpoint/tables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".tmp-step-"

int triad_commit_names(const char *run_dir, int64_t step, char temporary[TRIAD_PATH], char final[TRIAD_PATH])
{
  TRIAD_TRY(triad_disk_path(temporary, "%s/checkpoints/" TEMPORARY "%08lld", run_dir, (long long)step));
  return triad_disk_path(final, "%s/checkpoints/step-%08lld", run_dir, (long long)step);
}

/* A folder that holds nothing but what a checkpoint consists of; others may have been given files worth keeping. */
static int holds_only_ours(const char *folder)
{
  DIR *d = opendir(folder);
  if (!d) return 0;
  int ours = 1;
  for (struct dirent *e; ours && (e = readdir(d));)
    ours = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, TRIAD_MODES_FILE) == 0 ||
           strcmp(e->d_name, TRIAD_POINTS_FILE) == 0 || strcmp(e->d_name, TRIAD_MANIFEST_FILE) == 0 ||
           strcmp(e->d_name, TRIAD_BESIDE_FILE) == 0 || strcmp(e->d_name, TRIAD_TABLES_FILE) == 0;
  (void)closedir(d);
  return ours;
}

/* The manifest goes first: from then on nobody takes the rest for a checkpoint. */
static int delete_folder(const char *folder)
{
  static const char *const files[] = {TRIAD_MANIFEST_FILE, TRIAD_MODES_FILE, TRIAD_POINTS_FILE, TRIAD_BESIDE_FILE,
                                      TRIAD_TABLES_FILE};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[TRIAD_PATH];
    TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, files[i]));
    TRIAD_TRY(triad_disk_remove(path));
  }
  if (rmdir(folder) == 0 || errno == ENOENT) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot delete the folder: %s", folder, strerror(errno));
}

static void delete_leftovers(const char *checkpoints)
{
  DIR *d = opendir(checkpoints);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    char path[TRIAD_PATH];
    struct stat about;
    if (strncmp(e->d_name, TEMPORARY, strlen(TEMPORARY)) != 0) continue;
    if (snprintf(path, sizeof path, "%s/%s", checkpoints, e->d_name) >= (int)sizeof path) continue;
    if (lstat(path, &about) != 0 || !S_ISDIR(about.st_mode) || !holds_only_ours(path)) continue;
    if (delete_folder(path) != TRIAD_OK) triad_message_clear(); /* in the way only if it is this step's: seen next */
  }
  (void)closedir(d);
}

int triad_commit_begin(const char *run_dir, int64_t step)
{
  char checkpoints[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(checkpoints, "%s/checkpoints", run_dir));
  TRIAD_TRY(triad_commit_names(run_dir, step, temporary, final));
  TRIAD_TRY(triad_disk_make_folder(checkpoints));
  delete_leftovers(checkpoints);
  if (mkdir(temporary, 0777) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot create the folder: %s", temporary, strerror(errno));
}

void triad_commit_abandon(const char *run_dir, int64_t step)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  if (triad_commit_names(run_dir, step, temporary, final) == TRIAD_OK) (void)delete_folder(temporary);
}

int triad_commit_delete_folder(const char *folder)
{
  if (!holds_only_ours(folder))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: not deleted, because it contains other files than Triad's", folder);
  return delete_folder(folder);
}

int triad_commit_delete(const char *run_dir, int64_t step)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  TRIAD_TRY(triad_commit_names(run_dir, step, temporary, final));
  return triad_commit_delete_folder(final);
}

static int write_small(const char *folder, const char *name, const void *data, int64_t bytes)
{
  char path[TRIAD_PATH];
  int fd;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  TRIAD_TRY(triad_disk_create(path, &fd));
  int st = triad_disk_write(fd, path, data, bytes, 0);
  if (st == TRIAD_OK) st = triad_disk_sync(fd, path);
  int closed = triad_disk_close(&fd, path);
  return st == TRIAD_OK ? closed : st;
}

/* Move `temporary` to `final`. If `final` exists, exchange the two or, if the file system cannot, move the old one
 * away first. The old one ends under a temporary name and is deleted. */
static int put_in_place(const char *temporary, const char *final)
{
  struct stat about;
  if (lstat(final, &about) != 0) return triad_disk_rename(temporary, final);
  if (renameat2(AT_FDCWD, temporary, AT_FDCWD, final, RENAME_EXCHANGE) == 0) {
    if (delete_folder(temporary) != TRIAD_OK) triad_message_clear(); /* the next checkpoint tries again */
    return TRIAD_OK;
  }
  char aside[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(aside, "%s.old", temporary));
  TRIAD_TRY(triad_disk_rename(final, aside));
  int st = triad_disk_rename(temporary, final);
  if (st != TRIAD_OK) {
    (void)rename(aside, final);
    return st;
  }
  if (delete_folder(aside) != TRIAD_OK) triad_message_clear();
  return TRIAD_OK;
}

int triad_commit_finish(const char *run_dir, int64_t step, const char *manifest, int64_t bytes,
                        const triad_beside *beside)
{
  char checkpoints[TRIAD_PATH], temporary[TRIAD_PATH], final[TRIAD_PATH], name[64];
  TRIAD_TRY(triad_disk_path(checkpoints, "%s/checkpoints", run_dir));
  TRIAD_TRY(triad_commit_names(run_dir, step, temporary, final));
  if (beside && beside->data) TRIAD_TRY(write_small(temporary, TRIAD_BESIDE_FILE, beside->data, beside->bytes));
  TRIAD_TRY(write_small(temporary, TRIAD_MANIFEST_FILE, manifest, bytes));
  TRIAD_TRY(triad_disk_sync_folder(temporary));
  TRIAD_TRY(put_in_place(temporary, final));
  TRIAD_TRY(triad_disk_sync_folder(checkpoints));
  int length = snprintf(name, sizeof name, "step-%08lld\n", (long long)step);
  return triad_disk_replace(checkpoints, "latest", name, length);
}

static int newest_first(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x < y) - (x > y);
}

/* Exactly the names that triad_commit_names makes. */
static int is_step_name(const char *name, int64_t *step)
{
  char again[64];
  if (strncmp(name, "step-", 5) != 0) return 0;
  errno = 0;
  *step = strtoll(name + 5, NULL, 10);
  if (errno || *step < 0) return 0;
  (void)snprintf(again, sizeof again, "step-%08lld", (long long)*step);
  return strcmp(name, again) == 0;
}

int triad_commit_list(const char *run_dir, int64_t **steps, int *count)
{
  char checkpoints[TRIAD_PATH];
  *steps = NULL;
  *count = 0;
  TRIAD_TRY(triad_disk_path(checkpoints, "%s/checkpoints", run_dir));
  DIR *d = opendir(checkpoints);
  if (!d && (errno == ENOENT || errno == ENOTDIR)) return TRIAD_OK;
  if (!d) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", checkpoints, strerror(errno));
  int room = 0, st = TRIAD_OK;
  for (struct dirent *e; st == TRIAD_OK && (e = readdir(d));) {
    int64_t step;
    if (!is_step_name(e->d_name, &step)) continue;
    if (*count == room) {
      room = room ? 2 * room : 16;
      int64_t *more = realloc(*steps, (size_t)room * sizeof *more);
      if (!more) {
        st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of %d checkpoints", room);
        break;
      }
      *steps = more;
    }
    (*steps)[(*count)++] = step;
  }
  (void)closedir(d);
  if (st == TRIAD_OK) {
    if (*count > 1) qsort(*steps, (size_t)*count, sizeof **steps, newest_first);
    return TRIAD_OK;
  }
  free(*steps);
  *steps = NULL;
  *count = 0;
  return st;
}

static int is_sound(const char *folder)
{
  char path[TRIAD_PATH], *text = NULL;
  int64_t bytes;
  triad_manifest *m = NULL;
  struct stat about;
  int sound = triad_disk_path(path, "%s/" TRIAD_MANIFEST_FILE, folder) == TRIAD_OK &&
              triad_disk_load(path, TRIAD_MANIFEST_BYTES, &text, &bytes) == TRIAD_OK &&
              triad_manifest_parse(&m, path, text, bytes) == TRIAD_OK &&
              triad_disk_path(path, "%s/%s", folder, triad_manifest_file(m)) == TRIAD_OK && stat(path, &about) == 0 &&
              about.st_size == m->file_bytes;
  free(text);
  triad_manifest_destroy(&m);
  if (!sound) triad_message_clear();
  return sound;
}

int triad_commit_retire(const char *run_dir, int64_t step, int keep, int *stuck)
{
  int64_t *steps;
  int count, sound = 0;
  *stuck = 0;
  TRIAD_TRY(triad_commit_list(run_dir, &steps, &count));
  if (keep < 2) keep = 2;
  for (int i = 0; i < count; i++) {
    char temporary[TRIAD_PATH], folder[TRIAD_PATH];
    if (steps[i] > step || triad_commit_names(run_dir, steps[i], temporary, folder) != TRIAD_OK) continue;
    if (sound < keep) {
      sound += is_sound(folder);
      continue;
    }
    if (!holds_only_ours(folder)) continue;
    if (delete_folder(folder) != TRIAD_OK) ++*stuck;
  }
  free(steps);
  return TRIAD_OK;
}
