/* Run a function that parses untrusted input in a forked process, which sends its result through a pipe. The parent
 * ends a child that crashes, stays silent or needs too much memory. */
#include "base/guard.h"

#include "base/output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds without a sign of life: of waiting for a slow disk, and of work. A piece that libraries unpack in one go is
 * at most 4 GiB (a chunk of HDF5). */
enum { PATIENCE = 120, WORK = 30 };

/* Memory beyond any honest use, on top of what this process has already. */
#define MOST_MEMORY ((rlim_t)12 << 30)

struct triad_guard {
  const char *path;
  int pipe[2];   /* for the bytes given: [0] read here, [1] written by the other process */
  char *message; /* [MESSAGE] shared: that of the other process     */
  int ended;     /* 1: the other process ended before it gave all   */
};

enum { MESSAGE = 1024 };

void triad_guard_alive(triad_guard *g)
{
  if (!g) return;
  const struct itimerval work = {.it_value = {WORK, 0}};
  (void)setitimer(ITIMER_PROF, &work, NULL);
  (void)alarm(PATIENCE);
}

int triad_guard_give(triad_guard *g, const void *data, int64_t bytes)
{
  const char *p = data;
  triad_guard_alive(g);
  for (int64_t done = 0; done < bytes;) {
    ssize_t n = write(g->pipe[1], p + done, (size_t)(bytes - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: passing on the data that was read: %s", g->path, strerror(errno));
    done += n;
    triad_guard_alive(g);
  }
  return TRIAD_OK;
}

#if !defined(__SANITIZE_ADDRESS__)
/* Bytes of private writable memory: the sixth number of statm, in pages. */
static rlim_t data_now(void)
{
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf(f, "%*s %*s %*s %*s %*s %lu", &pages) != 1) pages = 0;
  (void)fclose(f);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

/* No core files, bounded memory, and the plain end that signals have outside MPI. */
static void prepare(triad_guard *g)
{
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF, SIGTERM};
  const struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)
  struct rlimit memory;
  if (getrlimit(RLIMIT_DATA, &memory) == 0) {
    rlim_t most = data_now() + MOST_MEMORY;
    if (memory.rlim_cur == RLIM_INFINITY || memory.rlim_cur > most) memory.rlim_cur = most;
    (void)setrlimit(RLIMIT_DATA, &memory);
  }
#endif
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) (void)signal(fatal[i], SIG_DFL);
  (void)signal(SIGPIPE, SIG_IGN);
  triad_guard_alive(g);
}

static void work_and_leave(triad_guard *g, triad_guard_work *work, void *self)
{
  (void)close(g->pipe[0]);
  prepare(g);
  triad_message_clear();
  int st = work(self, g);
  st = triad_output_end(stdout, st);
  (void)snprintf(g->message, MESSAGE, "%s", triad_message());
  _exit(st);
}

/* `bytes` bytes, or as many as come. */
static int64_t read_exactly(int from, char *out, int64_t bytes)
{
  int64_t done = 0;
  while (done < bytes) {
    ssize_t n = read(from, out + done, (size_t)(bytes - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  return done;
}

/* Until `bytes` have come or no more will; returns how many. More than that is swallowed, so that nobody waits. */
static int64_t read_bytes(int from, char *out, int64_t bytes)
{
  char rest[4096];
  int64_t done = read_exactly(from, out, bytes);
  for (int64_t more = done == bytes; more > 0; done += more) more = read_exactly(from, rest, sizeof rest);
  return done;
}

static int judge(const triad_guard *g, int how, int64_t came, int64_t bytes)
{
  int code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  if (code == TRIAD_OK && came == bytes) return TRIAD_OK;
  if (code == TRIAD_OK)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: the reading process returned %lld bytes of %lld", g->path,
                      (long long)came, (long long)bytes);
  if (code >= TRIAD_ERR_USAGE && code <= TRIAD_ERR_BLOWUP) {
    if (g->message[0]) triad_note_again(g->message);
    return code;
  }
  if (WIFSIGNALED(how) && (WTERMSIG(how) == SIGALRM || WTERMSIG(how) == SIGPROF))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: reading it does not finish", g->path);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: the library crashes when it reads the file", g->path);
}

/* What the parent reads: the head, then what follows it. */
typedef struct reply {
  void *head;
  int64_t head_bytes;
  triad_guard_room *room; /* NULL: nothing follows */
  triad_guard_take *take; /* reads all, if it is not NULL */
} reply;

/* Read all; *came and *bytes: how many bytes came, and how many should have. */
static int read_reply(triad_guard *g, const reply *r, void *self, int64_t *came, int64_t *bytes)
{
  void *rest = NULL;
  *bytes = *came = r->head_bytes;
  if (r->take) {
    const int st = r->take(self, g);
    *bytes += g->ended;
    return g->ended ? TRIAD_OK : st;
  }
  if (!r->room) {
    *came = read_bytes(g->pipe[0], r->head, r->head_bytes);
    return TRIAD_OK;
  }
  *came = read_exactly(g->pipe[0], r->head, r->head_bytes);
  if (*came < r->head_bytes) return TRIAD_OK;
  int64_t more = 0;
  TRIAD_TRY(r->room(self, r->head, &rest, &more));
  *bytes += more;
  *came += read_bytes(g->pipe[0], rest, more);
  return TRIAD_OK;
}

/* Run the work once the pipe and the shared page exist. */
static int run_child(triad_guard *g, triad_guard_work *work, void *self, const reply *r)
{
  int how = 0;
  int64_t came, bytes;
  (void)fflush(stdout);
  pid_t child = fork();
  int why = errno;
  if (child == 0) work_and_leave(g, work, self);
  (void)close(g->pipe[1]);
  if (child < 0) {
    (void)close(g->pipe[0]);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a process to read %s: %s", g->path, strerror(why));
  }
  const int st = read_reply(g, r, self, &came, &bytes);
  (void)close(g->pipe[0]);
  while (waitpid(child, &how, 0) < 0)
    if (errno != EINTR)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: waiting for the reading process: %s", g->path, strerror(errno));
  return st == TRIAD_OK ? judge(g, how, came, bytes) : st;
}

static int run(const char *path, triad_guard_work *work, void *self, const reply *r)
{
  triad_guard g = {.path = path};
  g.message = mmap(NULL, MESSAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (g.message == MAP_FAILED)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "shared memory to read %s: %s", path, strerror(errno));
  int st = pipe(g.pipe) == 0 ? run_child(&g, work, self, r)
                             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a pipe: %s", path, strerror(errno));
  (void)munmap(g.message, MESSAGE);
  return st;
}

int triad_guard_run(const char *path, triad_guard_work *work, void *self, void *out, int64_t bytes)
{
  const reply r = {out, bytes, NULL, NULL};
  return run(path, work, self, &r);
}

int triad_guard_run_headed(const char *path, triad_guard_work *work, void *self, void *head, int64_t head_bytes,
                           triad_guard_room *room)
{
  const reply r = {head, head_bytes, room, NULL};
  return run(path, work, self, &r);
}

int triad_guard_run_pieces(const char *path, triad_guard_work *work, void *self, triad_guard_take *take)
{
  const reply r = {NULL, 0, NULL, take};
  return run(path, work, self, &r);
}

int triad_guard_read(triad_guard *g, void *out, int64_t bytes)
{
  if (read_exactly(g->pipe[0], out, bytes) == bytes) return TRIAD_OK;
  g->ended = 1;
  return TRIAD_ERR_IO;
}
