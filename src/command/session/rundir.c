/* Create and lock the run directory, write the case into it, and move the results of an earlier run aside. */
#include "command/session/rundir.h"
#include "command/session/inputs_named.h"

#include "base/text.h"
#include "command/session/settings.h"
#include "run/output_kinds.h"
#include "store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *triad_rundir_default(const char *case_path)
{
  const char *slash = strrchr(case_path, '/');
  char *name = strdup(slash ? slash + 1 : case_path);
  if (!name) return NULL;
  char *dot = strrchr(name, '.');
  if (dot && dot != name) *dot = '\0';
  return name;
}

/* Records of the case and other results, which --from-start moves with the output of all kinds. */
static const char *const records[] = {
  "profiles.csv", "inputs",      "case.toml", "case.resolved.toml", "case.changes.csv", TRIAD_SETTINGS_FILE,
  "status.json",  "report.html", "archive",   "discarded"};

/* Returns 1 for files that a run makes before its resolved case is written: a start that failed there leaves the
 * directory usable. */
static int is_own(const char *name)
{
  static const char *const own[] = {"spectra", "checkpoints", "fields",     "slices",    "particles",
                                    "inputs",  "archive",     "log.txt",    "case.toml", "provenance.json",
                                    "stop",    "set",         "status.json"};
  static const char *const begins[] = {TRIAD_LOCK_FILE, "wisdom-", ".tmp-", "before-"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(name, begins[i], strlen(begins[i])) == 0) return 1;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(name, own[i]) == 0) return 1;
  return 0;
}

/* A run's directory has a resolved case, or nothing at all yet. */
static int check_claim(const char *dir)
{
  char mark[TRIAD_PATH];
  int fd = -1, others = 0;
  TRIAD_TRY(triad_disk_path(mark, "%s/case.resolved.toml", dir));
  if (triad_disk_open(mark, 0, &fd) == TRIAD_OK) return triad_disk_close(&fd, mark);
  triad_message_clear();
  DIR *folder = opendir(dir);
  if (!folder && errno == ENOTDIR)
    return TRIAD_FAIL_PLAIN(
      TRIAD_ERR_IO, "%.500s cannot be the run directory, because a file has this name: use another one with --dir",
      dir);
  if (!folder) return errno == ENOENT ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: %s", dir, strerror(errno));
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    others += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !is_own(entry->d_name);
  (void)closedir(folder);
  if (others > 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%.500s contains files but no case.resolved.toml, so it is not a run directory: use a new or "
                      "empty one with --dir",
                      dir);
  return TRIAD_OK;
}

static int make_folders(const char *dir)
{
  static const char *const inner[] = {"", "/spectra", "/checkpoints", "/fields", "/slices"};
  char path[TRIAD_PATH];
  for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
    TRIAD_TRY(triad_disk_path(path, "%s%s", dir, inner[i]));
    for (char *slash = i == 0 ? strchr(path + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
      *slash = '\0';
      TRIAD_TRY(triad_disk_make_folder(path));
      *slash = '/';
    }
    TRIAD_TRY(triad_disk_make_folder(path));
  }
  /* those that exist already may be of a start that was killed before it synced them */
  TRIAD_TRY(triad_disk_sync_folder(dir));
  TRIAD_TRY(triad_disk_path(path, "%s/..", dir));
  if (triad_disk_sync_folder(path) != TRIAD_OK) triad_message_clear(); /* one that may not be read */
  return TRIAD_OK;
}

void triad_rundir_tell(void *log, const char *text) { triad_log_info(log, "%s", text); }

static int claim(triad_session *s, const char *dir, int break_lock, const triad_lock_rank *ranks, triad_lock **lock)
{
  char note[512];
  const triad_lock_request request = {.break_stale = break_lock,
                                      .n_ranks = s->comm.size,
                                      .ranks = ranks,
                                      .watchdog = triad_case_real(s->given, "output.watchdog"),
                                      .tell = triad_rundir_tell,
                                      .who = s->log};
  TRIAD_TRY(check_claim(dir));
  TRIAD_TRY(make_folders(dir));
  TRIAD_TRY(triad_lock_take(lock, dir, &request, note));
  if (note[0]) triad_log_info(s->log, "%s", note);
  return TRIAD_OK;
}

int triad_rundir_claim(triad_session *s, const char *dir, int break_lock, triad_lock **lock)
{
  int root = s->comm.rank == 0;
  triad_lock_rank me, *all = root ? calloc((size_t)s->comm.size, sizeof *all) : NULL;
  TRIAD_TRY(triad_agree(&s->comm, !root || all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the lock's ranks")));
  triad_lock_self(&me);
  int st = TRIAD_MPI(MPI_Gather(&me, sizeof me, MPI_BYTE, all, sizeof me, MPI_BYTE, 0, s->comm.mpi));
  if (st == TRIAD_OK) st = triad_agree(&s->comm, root ? claim(s, dir, break_lock, all, lock) : TRIAD_OK);
  free(all);
  return st;
}

/* case.toml is the case file; where --set has a say, comments in front of it say so. */
static int write_case(const triad_session *s, const triad_arguments *a, const char *dir)
{
  char *text = NULL;
  size_t size = 0;
  if (a->n_sets == 0) return triad_disk_replace(dir, "case.toml", s->text, (int64_t)s->text_length);
  FILE *f = open_memstream(&text, &size);
  if (f) {
    (void)fprintf(f, "# This file is not the complete case: see case.resolved.toml. Changed by\n");
    for (int i = 0; i < a->n_sets; i++) {
      char safe[1024];
      (void)triad_escape(safe, sizeof safe, a->sets[i], strlen(a->sets[i]), TRIAD_ESCAPE_JSON);
      (void)fprintf(f, "#   --set %s\n", safe);
    }
    (void)fwrite(s->text, 1, s->text_length, f);
  }
  int st = f && fclose(f) == 0 ? triad_disk_replace(dir, "case.toml", text, (int64_t)size)
                               : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of the case");
  free(text);
  return st;
}

int triad_rundir_write_case(const triad_session *s, const triad_arguments *a, const triad_inputs *in, const char *dir)
{
  char *text = NULL;
  size_t size = 0;
  TRIAD_TRY(write_case(s, a, dir));
  TRIAD_TRY(triad_inputs_resolved(in, s, dir, &text, &size));
  int st = triad_disk_replace(dir, "case.resolved.toml", text, (int64_t)size);
  free(text);
  return st;
}

/* before-1, before-2, ..: the first that is free. */
static int make_aside(const char *dir, char aside[TRIAD_PATH])
{
  for (int i = 1;; i++) {
    TRIAD_TRY(triad_disk_path(aside, "%s/before-%d", dir, i));
    if (mkdir(aside, 0777) == 0) return TRIAD_OK;
    if (errno != EEXIST) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: cannot create the folder: %s", aside, strerror(errno));
  }
}

static int move_aside(const char *dir, const char *aside, const char *name)
{
  char from[TRIAD_PATH], to[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(from, "%s/%s", dir, name));
  TRIAD_TRY(triad_disk_path(to, "%s/%s", aside, name));
  return access(from, F_OK) == 0 || errno != ENOENT ? triad_disk_rename(from, to) : TRIAD_OK;
}

int triad_rundir_set_aside(const char *dir, char aside[TRIAD_PATH])
{
  static const triad_output_files outputs[] = {TRIAD_OUTPUT_KINDS(TRIAD_OUTPUT_FILES)};
  char name[TRIAD_OUTPUT_NAME];
  TRIAD_TRY(make_aside(dir, aside));
  for (int i = 0; i < TRIAD_OUTPUT_N; i++)
    for (const char *at = outputs[i].files; triad_output_next_name(&at, name);) TRIAD_TRY(move_aside(dir, aside, name));
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) TRIAD_TRY(move_aside(dir, aside, records[i]));
  return make_folders(dir);
}

int triad_rundir_check(const char *dir)
{
  char mark[TRIAD_PATH];
  int fd = -1;
  if (access(dir, F_OK) != 0) return TRIAD_FAIL(TRIAD_ERR_INPUT, "%.500s: %s", dir, strerror(errno));
  TRIAD_TRY(triad_disk_path(mark, "%s/case.resolved.toml", dir));
  if (triad_disk_open(mark, 0, &fd) == TRIAD_OK) return triad_disk_close(&fd, mark);
  triad_message_clear();
  /* a run that is getting ready has its lock before its case */
  TRIAD_TRY(triad_disk_path(mark, "%s/" TRIAD_LOCK_FILE, dir));
  if (access(mark, F_OK) == 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%.500s contains no case.resolved.toml, so it is not a run directory", dir);
}
