/* Read, share and write FFTW wisdom, so that all ranks and all restarts use the same plans. */
#include "fft/lines/wisdom.h"
#include "base/guard.h"
#include "base/users_file.h"
#include "parallel/share_text.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* Plans are good for one precision; FFTW itself refuses those of another version. */
static int users_file(char *path)
{
  const char *named = getenv("TRIAD_WISDOM"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = -1;
  if (named && *named) n = snprintf(path, PATH_ROOM, "%s-%s", named, TRIAD_PRECISION_NAME);
  else if (cache && *cache) n = snprintf(path, PATH_ROOM, "%s/triad/wisdom-%s", cache, TRIAD_PRECISION_NAME);
  else if (home && *home) n = snprintf(path, PATH_ROOM, "%s/.cache/triad/wisdom-%s", home, TRIAD_PRECISION_NAME);
  return n > 0 && n < PATH_ROOM;
}

static int find_file(const char *folder, char *found)
{
  if (!folder) return users_file(found);
  int n = snprintf(found, PATH_ROOM, "%s/wisdom-%s", folder, TRIAD_PRECISION_NAME);
  return n > 0 && n < PATH_ROOM;
}

static int import(void *name, triad_guard *guard)
{
  (void)guard;
  return FFTW(import_wisdom_from_filename)(name) ? TRIAD_OK : TRIAD_ERR_CASE;
}

/* FFTW trusts the file: a damaged or foreign one is first parsed in another process. */
int triad_wisdom_read(const char *folder)
{
  char name[PATH_ROOM];
  if (!folder && getenv(TRIAD_NEW_PLANS)) return 0;
  if (!find_file(folder, name) || access(name, R_OK) != 0) return 0;
  int st = triad_guard_run(name, import, name, NULL, 0);
  if (st != TRIAD_OK) triad_message_clear();
  return st == TRIAD_OK && FFTW(import_wisdom_from_filename)(name);
}

void triad_wisdom_write(const char *folder)
{
  char name[PATH_ROOM], temporary[PATH_ROOM + 32];
  if (!find_file(folder, name)) return;
  triad_users_folders(name);
  int n = snprintf(temporary, sizeof temporary, "%s.%ld", name, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof temporary) return;
  /* renamed into place, so that two runs that end at once leave one whole file */
  if (!FFTW(export_wisdom_to_filename)(temporary)) (void)unlink(temporary);
  /* the next run plans again */
  else if (triad_disk_commit_blocking(temporary, name) != TRIAD_OK) triad_message_clear();
}

/* Lock planning, from read to write, on this file system: a process that plans the same sizes at the same time would
 * replace the file with choices of its own, and the next run would not repeat this one's. Waits at most a minute, and
 * continues without a lock if locks do not work. Returns the argument of
 * unlock_planning. Not collective. */
static int lock_planning(void)
{
  char name[PATH_ROOM], lock[PATH_ROOM + 8];
  if (!users_file(name)) return -1;
  int n = snprintf(lock, sizeof lock, "%s.lock", name);
  return n > 0 && (size_t)n < sizeof lock ? triad_users_lock(lock) : -1;
}

static void unlock_planning(int lock) { triad_users_unlock(lock); }

/* Every rank has the plans of rank 0, and no others. */
static int share(const triad_comm *comm)
{
  char *text = comm->rank == 0 ? FFTW(export_wisdom_to_string)() : NULL;
  int st = triad_comm_share_text(comm, &text, NULL);
  if (st == TRIAD_OK && text && comm->rank != 0) (void)FFTW(import_wisdom_from_string)(text);
  free(text); /* FFTW's string is malloc's */
  return st;
}

void triad_wisdom_put(FFTW(plan) * place, FFTW(plan) plan)
{
  if (*place) FFTW(destroy_plan)(*place);
  *place = plan;
}

/* Plans in memory take precedence over those read later: if two files have a plan, the first file read wins. */
static void remember(const char *text)
{
  if (text) (void)FFTW(import_wisdom_from_string)(text);
}

/* Plan with the user's file and the plans that this process had `before`; then plan again with the run's own file,
 * which takes precedence over both. */
static int measure(unsigned flags, const char *folder, int own, const char *before, triad_wisdom_make *make, void *self)
{
  FFTW(forget_wisdom)();
  (void)triad_wisdom_read(NULL);
  remember(before);
  TRIAD_TRY(make(self, flags));
  triad_wisdom_write(NULL);
  if (own) {
    char *users = FFTW(export_wisdom_to_string)();
    FFTW(forget_wisdom)();
    (void)triad_wisdom_read(folder);
    remember(users);
    free(users);
    TRIAD_TRY(make(self, flags));
  }
  if (folder) triad_wisdom_write(folder);
  return TRIAD_OK;
}

static int plan_alone(unsigned flags, const char *folder, const char *before, triad_wisdom_make *make, void *self)
{
  if (flags & FFTW_ESTIMATE) return make(self, flags);
  const int own = folder && triad_wisdom_read(folder);
  int st = own ? make(self, flags | FFTW_WISDOM_ONLY) : TRIAD_ERR_CASE;
  if (st != TRIAD_ERR_CASE) return st;
  triad_message_clear();
  int lock = lock_planning();
  st = measure(flags, folder, own, before, make, self);
  unlock_planning(lock);
  return st;
}

int triad_wisdom_plan(const triad_comm *comm, unsigned flags, const char *folder, triad_wisdom_make *make, void *self)
{
  char *before = FFTW(export_wisdom_to_string)();
  FFTW(forget_wisdom)();
  int st = triad_agree(comm, comm->rank == 0 ? plan_alone(flags, folder, before, make, self) : TRIAD_OK);
  if (st == TRIAD_OK && !(flags & FFTW_ESTIMATE)) st = share(comm);
  if (st == TRIAD_OK && comm->rank != 0) st = make(self, flags);
  remember(before);
  free(before);
  return triad_agree(comm, st);
}
