#include "store/lock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 4096 /* bytes of a lock */, TRIES = 3 };

typedef struct holder {
  char host[128], boot[64], job[128];
  long long pid, start; /* start: clock ticks since boot, so that a pid used again is told from the first */
} holder;

struct triad_lock {
  char path[TRIAD_PATH];
  char text[LIMIT];
};

static void first_line(const char *path, char *out, size_t size)
{
  FILE *f = fopen(path, "r");
  out[0] = '\0';
  if (!f) return;
  if (!fgets(out, (int)size, f)) out[0] = '\0';
  (void)fclose(f);
  out[strcspn(out, "\n")] = '\0';
}

/* Field 22 of /proc/PID/stat, counted behind the name, which may hold anything; -1 when there is no such process or
 * its state says that it has ended. */
static long long start_of(long long pid)
{
  char path[64], line[1024];
  (void)snprintf(path, sizeof path, "/proc/%lld/stat", pid);
  first_line(path, line, sizeof line);
  char *at = strrchr(line, ')'), state = 0;
  long long start = -1;
  if (!at || sscanf(at + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %lld", &state,
                    &start) != 2)
    return -1;
  return state == 'Z' || state == 'X' ? -1 : start;
}

/* The batch system's number of this job. */
static const char *job_number(void)
{
  static const char *const variables[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *job = getenv(variables[i]);
    if (job && *job && strlen(job) < sizeof((holder *)0)->job && !strpbrk(job, "\n\r")) return job;
  }
  return "-";
}

static void describe_self(holder *h)
{
  memset(h, 0, sizeof *h);
  if (gethostname(h->host, sizeof h->host - 1) != 0 || !h->host[0]) (void)snprintf(h->host, sizeof h->host, "unknown");
  first_line("/proc/sys/kernel/random/boot_id", h->boot, sizeof h->boot);
  if (!h->boot[0]) (void)snprintf(h->boot, sizeof h->boot, "-");
  (void)snprintf(h->job, sizeof h->job, "%s", job_number());
  h->pid = getpid();
  h->start = start_of(h->pid);
}

static int format(const holder *h, char text[LIMIT])
{
  return snprintf(text, LIMIT, "triad-lock 1\nhost %s\nboot %s\npid %lld\nstart %lld\njob %s\n", h->host, h->boot,
                  h->pid, h->start, h->job);
}

static int parse(const char *text, holder *h)
{
  memset(h, 0, sizeof *h);
  return sscanf(text, "triad-lock 1\nhost %127[^\n]\nboot %63[^\n]\npid %lld\nstart %lld\njob %127[^\n]\n", h->host,
                h->boot, &h->pid, &h->start, h->job) == 5 && h->pid > 0;
}

static int is_alive(const holder *h)
{
  holder self;
  describe_self(&self);
  if (strcmp(h->host, self.host) != 0) return -1;
  if (strcmp(h->boot, self.boot) != 0) return 0;
  if (start_of(h->pid) >= 0) return start_of(h->pid) == h->start;
  /* without /proc, or when it hides the others' processes */
  return kill((pid_t)h->pid, 0) == 0 || errno == EPERM ? -1 : 0;
}

static void name(const holder *h, char who[400])
{
  (void)snprintf(who, 400, "process %lld on host %s%s%s%s", h->pid, h->host, strcmp(h->job, "-") != 0 ? " (job " : "",
                 strcmp(h->job, "-") != 0 ? h->job : "", strcmp(h->job, "-") != 0 ? ")" : "");
}

static int load(const char *path, char **text, holder *h)
{
  int64_t bytes = 0;
  int st = triad_disk_load(path, LIMIT, text, &bytes);
  if (st == TRIAD_ERR_INPUT) return st;
  if (st == TRIAD_OK && !parse(*text, h)) {
    free(*text);
    *text = NULL;
    st = TRIAD_ERR_CASE;
  }
  if (st == TRIAD_ERR_CASE) {
    triad_message_clear();
    return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s is no lock that Triad wrote: look at what it is, and delete it", path);
  }
  return st;
}

/* May the lock that stands be taken over? Says so in note[], or fails with who has it. */
static int judge(const char *path, const holder *h, int break_stale, char note[512])
{
  char who[400];
  int alive = is_alive(h), same_job = strcmp(h->job, "-") != 0 && strcmp(h->job, job_number()) == 0;
  name(h, who);
  if (alive == 1)
    return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: %s is running in this directory; wait for it, `triad stop` it, or give "
                                    "another --dir", path, who);
  if (same_job) {
    (void)snprintf(note, 512, "this job was started again: the lock of its %s is taken over", who);
    return TRIAD_OK;
  }
  if (!break_stale && alive == 0)
    return TRIAD_FAIL(TRIAD_ERR_IO,
                      "%.500s was left by %s, which has ended without tidying up; --break-lock takes it over", path,
                      who);
  if (!break_stale)
    return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s names %s; if that is surely over, --break-lock takes the lock over", path,
                      who);
  (void)snprintf(note, 512, "the lock of %s is broken as asked", who);
  return TRIAD_OK;
}

/* Move the judged lock aside; one of two who try succeeds, and what it moved must be what was judged. */
static int break_lock(const char *path, const char *judged)
{
  char aside[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_path(aside, "%s.broken-%ld", path, (long)getpid()));
  if (rename(path, aside) != 0)
    return errno == ENOENT ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: rename: %s", path, strerror(errno));
  int st = triad_disk_load(aside, LIMIT, &text, &bytes);
  int same = st == TRIAD_OK && strcmp(text, judged) == 0;
  free(text);
  if (same) return triad_disk_remove(aside);
  triad_message_clear();
  if (link(aside, path) == 0) (void)unlink(aside);
  return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s: another run has just taken this directory", path);
}

/* Write the lock where none stands; *stands tells that one does. It appears with all its text, by a hard link. */
static int create(const triad_lock *lock, int *stands)
{
  char made[TRIAD_PATH];
  int fd = -1;
  TRIAD_TRY(triad_disk_path(made, "%s.new-%ld", lock->path, (long)getpid()));
  TRIAD_TRY(triad_disk_remove(made));
  TRIAD_TRY(triad_disk_create(made, &fd));
  int st = triad_disk_write(fd, made, lock->text, (int64_t)strlen(lock->text), 0);
  int closed = triad_disk_close(&fd, made);
  if (st == TRIAD_OK) st = closed;
  *stands = st == TRIAD_OK && link(made, lock->path) != 0;
  if (*stands && errno != EEXIST) { /* a file system without hard links: nearly as good */
    *stands = access(lock->path, F_OK) == 0;
    if (!*stands) st = triad_disk_rename(made, lock->path);
  }
  (void)unlink(made);
  return st;
}

static int take(triad_lock *lock, int break_stale, char note[512])
{
  for (int i = 0; i < TRIES; i++) {
    int stands;
    char *text = NULL;
    holder h;
    TRIAD_TRY(create(lock, &stands));
    if (!stands) return TRIAD_OK;
    int st = load(lock->path, &text, &h);
    if (st == TRIAD_ERR_INPUT) {
      triad_message_clear();
      continue;
    }
    if (st == TRIAD_OK) st = judge(lock->path, &h, break_stale, note);
    if (st == TRIAD_OK) st = break_lock(lock->path, text);
    free(text);
    TRIAD_TRY(st);
  }
  return TRIAD_FAIL(TRIAD_ERR_IO, "%.500s comes and goes: other runs are being started here", lock->path);
}

int triad_lock_take(triad_lock **out, const char *run_dir, int break_stale, char note[512])
{
  triad_lock *lock = *out = calloc(1, sizeof *lock);
  holder self;
  note[0] = '\0';
  if (!lock) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the lock");
  describe_self(&self);
  (void)format(&self, lock->text);
  int st = triad_disk_path(lock->path, "%s/" TRIAD_LOCK_FILE, run_dir);
  if (st == TRIAD_OK) st = take(lock, break_stale, note);
  if (st != TRIAD_OK) {
    free(lock);
    *out = NULL;
  }
  return st;
}

void triad_lock_give(triad_lock **lock)
{
  if (!lock || !*lock) return;
  char *text = NULL;
  int64_t bytes = 0;
  if (triad_disk_load((*lock)->path, LIMIT, &text, &bytes) == TRIAD_OK && strcmp(text, (*lock)->text) == 0)
    (void)unlink((*lock)->path);
  free(text);
  free(*lock);
  *lock = NULL;
}

int triad_lock_holder(const char *run_dir, char who[400], int *alive)
{
  char path[TRIAD_PATH], *text = NULL;
  holder h;
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_LOCK_FILE, run_dir));
  int st = load(path, &text, &h);
  if (st == TRIAD_ERR_INPUT) triad_message_clear();
  if (st != TRIAD_OK) return st;
  name(&h, who);
  *alive = is_alive(&h);
  free(text);
  return TRIAD_OK;
}
