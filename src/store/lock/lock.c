/* Create run.lock in one atomic step, and decide whether a lock that exists may be replaced. */
#include "store/lock/lock.h"

#include "base/clock.h"
#include "store/lock/holder.h"
#include "store/written.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  TRIES = 8,
  OLD = 60 /* [s] of a lock that a crash has cut short */,
  OTHERS = 60 /* [s] for ranks to end */,
  GRACE = 5 /* [s] beyond the watchdog */
};

struct triad_lock {
  char path[TRIAD_PATH];
  char *text;
};

/* An existing lock: its content and the open file, so that the file removed is the one that was examined. */
typedef struct standing {
  int fd;
  char *text;
  int64_t bytes;
  int kind; /* TRIAD_HOLDER_.. */
  triad_holder holder;
} standing;

static void forget(standing *s)
{
  if (s->fd >= 0) (void)close(s->fd);
  free(s->text);
  triad_holder_free(&s->holder);
  memset(s, 0, sizeof *s);
  s->fd = -1;
}

static int foreign(const char *path)
{
  return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "%.500s is not a lock of Triad: check what it is, and delete it", path);
}

/* TRIAD_ERR_INPUT, without a message, where there is none. */
static int load(const char *path, standing *s)
{
  memset(s, 0, sizeof *s);
  int st = triad_disk_open(path, 0, &s->fd);
  if (st == TRIAD_ERR_INPUT) triad_message_clear();
  TRIAD_TRY(st);
  st = triad_disk_size(s->fd, path, &s->bytes);
  if (st == TRIAD_OK && s->bytes > TRIAD_LOCK_LIMIT) st = foreign(path);
  if (st == TRIAD_OK) s->text = calloc((size_t)s->bytes + 1, 1);
  if (st == TRIAD_OK && !s->text) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "a lock of %lld bytes", (long long)s->bytes);
  if (st == TRIAD_OK) st = triad_disk_read(s->fd, path, s->text, s->bytes, 0);
  if (st == TRIAD_OK) s->kind = triad_holder_parse(&s->holder, s->text, s->bytes);
  if (st == TRIAD_OK && s->kind == TRIAD_HOLDER_FOREIGN) st = foreign(path);
  if (st == TRIAD_OK && s->kind == TRIAD_HOLDER_NO_MEMORY) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the ranks of a lock");
  if (st != TRIAD_OK) forget(s);
  return st;
}

/* Returns 1 if it is still the file at the path. */
static int stands(const char *path, const standing *s)
{
  struct stat there, here;
  return stat(path, &there) == 0 && fstat(s->fd, &here) == 0 && there.st_dev == here.st_dev &&
         there.st_ino == here.st_ino;
}

static void pause_a_moment(void)
{
  const struct timespec pause = {0, 200 * 1000 * 1000};
  (void)nanosleep(&pause, NULL);
}

static void log_wait(const triad_lock_request *r, const char *format, const char *who, double seconds)
{
  char text[600];
  (void)snprintf(text, sizeof text, format, who, seconds);
  if (r->tell) r->tell(r->who, text);
}

/* ---- may it be taken over? ---- */

/* Ranks on the host of one that was killed are ended by their launcher; those on other hosts by it or by their
 * watchdogs. */
static int await_others(const char *path, const standing *s, double down, const triad_lock_request *request)
{
  const triad_holder *h = &s->holder;
  char who[400];
  int64_t first = 0;
  double begin = triad_now(), far = h->hosts > 1 ? h->watchdog + GRACE - down : 0;
  triad_holder_name(h, who);
  if (h->hosts > 1 && h->watchdog <= 0)
    return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO,
                            "%.500s: %s has ended, but its ranks on other hosts may still run (output.watchdog is 0); "
                            "if they have surely ended, use --break-lock",
                            path, who);
  if (far > 0)
    log_wait(request, "%s has ended: waiting %.0f s, until its ranks on other hosts must have noticed", who, far);
  else if (triad_holder_others(h, &first) > 0)
    log_wait(request, "%s has ended, but not all of its ranks: waiting at most %.0f s for them", who, OTHERS);
  for (double waited = 0; waited < far || triad_holder_others(h, &first) > 0; waited = triad_now() - begin) {
    if (waited > far + OTHERS)
      return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "%.500s: %s has ended, but process %lld of the same run has not: end it",
                              path, who, (long long)first);
    if (!stands(path, s)) return TRIAD_OK; /* somebody else was faster: seen when it is taken */
    pause_a_moment();
  }
  return TRIAD_OK;
}

/* [s] since it was written, by the clock of its own file system: that of a file made now. */
static double age_of(const char *path, const standing *s)
{
  char probe[TRIAD_PATH];
  struct stat then, now;
  int fd = -1, good = fstat(s->fd, &then) == 0;
  if (triad_disk_path(probe, "%s.age-%ld", path, (long)getpid()) != TRIAD_OK || triad_disk_remove(probe) != TRIAD_OK ||
      triad_disk_create(probe, &fd) != TRIAD_OK)
    triad_message_clear();
  good = good && fd >= 0 && fstat(fd, &now) == 0;
  if (fd >= 0) {
    (void)close(fd);
    (void)unlink(probe);
  }
  return good ? difftime(now.st_mtime, then.st_mtime) : 0;
}

/* Cut short: no process writes it any more, since a lock appears with all its text. */
static int judge_cut(const char *path, const standing *s, const triad_lock_request *request, char note[512])
{
  int told = 0;
  for (double age = age_of(path, s); age < OLD && !request->break_stale && stands(path, s); age = age_of(path, s)) {
    if (!told++)
      log_wait(request, "%.300s was truncated by a crash of the machine: waiting %.0f s, until it is surely obsolete",
               path, OLD - age);
    pause_a_moment();
  }
  (void)snprintf(note, 512, "%.300s was truncated by a crash of the machine: it is taken over", path);
  return TRIAD_OK;
}

/* Decide whether the existing lock may be taken over. Writes a note[], or fails with the name of its owner. */
static int judge(const char *path, const standing *s, const triad_lock_request *request, char note[512])
{
  char who[400];
  double down = 0;
  if (s->kind == TRIAD_HOLDER_CUT) return judge_cut(path, s, request, note);
  int alive = triad_holder_lives(&s->holder, &down);
  triad_holder_name(&s->holder, who);
  if (alive == 1)
    return TRIAD_FAIL_PLAIN(
      TRIAD_ERR_IO, "%.500s: %s is running in this directory: wait for it, use `triad stop`, or give another --dir",
      path, who);
  const int again = triad_holder_same_job(&s->holder);
  (void)snprintf(note, 512,
                 again ? "this job was restarted: the lock of its %s is taken over"
                       : "%s has ended without cleaning up: its lock is taken over",
                 who);
  if (again && alive < 0) return TRIAD_OK;
  if (request->break_stale) {
    (void)snprintf(note, 512, "the lock of %s is broken as requested", who);
    return TRIAD_OK;
  }
  if (alive < 0)
    return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "%.500s names %s; if that run has surely ended, use --break-lock", path, who);
  return await_others(path, s, down, request);
}

/* ---- taking ---- */

/* Remove the examined lock; *gone: 1 if it still existed. Of several processes that try, the one that has locked the
 * file itself succeeds, so that nobody removes a newer lock. */
static int take_away(const char *path, const standing *s, int *gone)
{
  int held = 0;
  while ((held = flock(s->fd, LOCK_EX)) != 0 && errno == EINTR) {}
  (void)held; /* a file system without: the two looks below are all there is */
  *gone = 0;
  if (!stands(path, s)) return TRIAD_OK;
  if (unlink(path) != 0 && errno != ENOENT)
    return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: deleting: %s", path, strerror(errno));
  *gone = 1;
  return TRIAD_OK;
}

/* Write the lock if none exists; *there: 1 if one exists. It appears by a hard link with its complete text, which is
 * already on the disk: a power failure leaves a complete lock or none. */
static int create(const triad_lock *lock, int *there)
{
  char made[TRIAD_PATH];
  int fd = -1;
  TRIAD_TRY(triad_disk_path(made, "%s.new-%ld", lock->path, (long)getpid()));
  TRIAD_TRY(triad_disk_remove(made));
  TRIAD_TRY(triad_disk_create(made, &fd));
  int st = triad_disk_write(fd, made, lock->text, (int64_t)strlen(lock->text), 0);
  if (st == TRIAD_OK) st = triad_disk_sync(fd, made);
  int closed = triad_disk_close(&fd, made);
  if (st == TRIAD_OK) st = closed;
  *there = st == TRIAD_OK && link(made, lock->path) != 0;
  if (*there && errno != EEXIST) { /* a file system without hard links: nearly as good */
    *there = access(lock->path, F_OK) == 0;
    if (!*there) st = triad_disk_rename(made, lock->path);
  }
  (void)unlink(made);
  return st;
}

static int take_lock(const triad_lock *lock, const triad_lock_request *request, char note[512])
{
  for (int i = 0; i < TRIES; i++) {
    int there, gone = 0;
    char why[512] = "";
    standing s;
    TRIAD_TRY(create(lock, &there));
    if (!there) return TRIAD_OK;
    int st = load(lock->path, &s);
    if (st == TRIAD_ERR_INPUT) continue;
    TRIAD_TRY(st);
    st = judge(lock->path, &s, request, why);
    if (st == TRIAD_OK) st = take_away(lock->path, &s, &gone);
    if (gone) (void)snprintf(note, 512, "%s", why);
    forget(&s);
    TRIAD_TRY(st);
  }
  return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "%.500s appears and disappears: other runs are starting here", lock->path);
}

int triad_lock_take(triad_lock **out, const char *run_dir, const triad_lock_request *request, char note[512])
{
  triad_lock *lock = *out = calloc(1, sizeof *lock);
  triad_holder self = {.ranks = NULL};
  note[0] = '\0';
  int st = lock ? triad_holder_self(&self, request) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the lock");
  if (st == TRIAD_OK) lock->text = triad_holder_text(&self);
  if (st == TRIAD_OK && !lock->text) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of the lock");
  if (st == TRIAD_OK) st = triad_disk_path(lock->path, "%s/" TRIAD_LOCK_FILE, run_dir);
  if (st == TRIAD_OK) st = take_lock(lock, request, note);
  triad_holder_free(&self);
  if (st == TRIAD_OK) {
    triad_written_begin(run_dir);
    triad_written_add(lock->path);
    return TRIAD_OK;
  }
  if (lock) free(lock->text);
  free(lock);
  *out = NULL;
  return st;
}

void triad_lock_give(triad_lock **lock)
{
  if (!lock || !*lock) return;
  char *text = NULL, dir[TRIAD_PATH];
  int64_t bytes = 0;
  (void)snprintf(dir, sizeof dir, "%.*s", (int)(strlen((*lock)->path) - strlen("/" TRIAD_LOCK_FILE)), (*lock)->path);
  triad_written_end(dir);
  if (triad_disk_load((*lock)->path, TRIAD_LOCK_LIMIT, &text, &bytes) == TRIAD_OK && strcmp(text, (*lock)->text) == 0)
    (void)unlink((*lock)->path);
  free(text);
  free((*lock)->text);
  free(*lock);
  *lock = NULL;
}

int triad_lock_holder(const char *run_dir, char who[400], int *alive)
{
  char path[TRIAD_PATH];
  standing s;
  double down = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_LOCK_FILE, run_dir));
  TRIAD_TRY(load(path, &s));
  *alive = 0;
  (void)snprintf(who, 400, "a run whose lock was truncated by a crash");
  if (s.kind == TRIAD_HOLDER_GOOD) {
    triad_holder_name(&s.holder, who);
    *alive = triad_holder_lives(&s.holder, &down);
  }
  forget(&s);
  return TRIAD_OK;
}
