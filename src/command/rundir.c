#include "command/rundir.h"

#include "store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* What a run makes before it writes its case: a start that failed there does not spoil the directory. */
static int is_own(const char *name)
{
  static const char *const own[] = {"spectra", "checkpoints", "fields", "slices", "log.txt"};
  if (strncmp(name, TRIAD_LOCK_FILE, strlen(TRIAD_LOCK_FILE)) == 0) return 1;
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
  if (!folder) return errno == ENOENT ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: %s", dir, strerror(errno));
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    others += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !is_own(entry->d_name);
  (void)closedir(folder);
  if (others > 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%.500s holds files but no case.resolved.toml, so it is not a run's directory: give "
                      "a new or empty one with --dir",
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
  return TRIAD_OK;
}

void triad_rundir_tell(void *log, const char *text) { triad_log_warning(log, "%s", text); }

static int claim(triad_session *s, const char *dir, int break_lock, const triad_lock_rank *ranks, triad_lock **lock)
{
  char note[512];
  const triad_lock_request request = {.break_stale = break_lock, .n_ranks = s->comm.size, .ranks = ranks,
                                      .watchdog = triad_case_real(s->given, "output.watchdog"),
                                      .tell = triad_rundir_tell, .who = s->log};
  TRIAD_TRY(check_claim(dir));
  TRIAD_TRY(make_folders(dir));
  TRIAD_TRY(triad_lock_take(lock, dir, &request, note));
  if (note[0]) triad_log_warning(s->log, "%s", note);
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

static int prepare(triad_session *s, const char *dir, int argc, char **argv)
{
  TRIAD_TRY(triad_disk_replace(dir, "case.toml", s->text, (int64_t)s->text_length));
  char *text = NULL;
  size_t size = 0;
  TRIAD_TRY(triad_case_resolved(s->given, &text, &size));
  int st = triad_disk_replace(dir, "case.resolved.toml", text, (int64_t)size);
  free(text);
  TRIAD_TRY(st);
  text = triad_provenance(s, argc, argv);
  if (!text) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the provenance of the run");
  st = triad_disk_replace(dir, "provenance.json", text, (int64_t)strlen(text));
  free(text);
  return st;
}

int triad_rundir_prepare(triad_session *s, const char *dir, int argc, char **argv)
{
  return triad_agree(&s->comm, s->comm.rank == 0 ? prepare(s, dir, argc, argv) : TRIAD_OK);
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
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%.500s holds no case.resolved.toml, so it is not a run's directory", dir);
}
