#include "command/info_own.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds without a sign of life: of waiting for a slow disk, and of work. No piece is more than some MiB. */
enum { PATIENCE = 60, WORK = 5 };

void triad_info_alive(void)
{
  const struct itimerval work = {.it_value = {WORK, 0}};
  (void)setitimer(ITIMER_PROF, &work, NULL);
  (void)alarm(PATIENCE);
}

/* No core files, no memory beyond any honest use, and the plain end that signals have outside MPI. */
static void prepare(void)
{
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF, SIGTERM};
  const struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)
  const struct rlimit memory = {(rlim_t)4 << 30, (rlim_t)4 << 30};
  (void)setrlimit(RLIMIT_DATA, &memory);
#endif
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) (void)signal(fatal[i], SIG_DFL);
  triad_info_alive();
}

static void work_and_leave(int (*work)(void *self), void *self)
{
  prepare();
  int st = work(self);
  int failed = fflush(stdout) != 0;
  triad_info_tell();
  _exit(failed && st == TRIAD_OK ? TRIAD_ERR_IO : st);
}

static int is_status(int code)
{
  return code == TRIAD_OK || (code >= TRIAD_ERR_USAGE && code <= TRIAD_ERR_BLOWUP);
}

int triad_info_guard(const char *path, int (*work)(void *self), void *self)
{
  int how = 0;
  (void)fflush(stdout);
  pid_t child = fork();
  if (child < 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: a process to read it: %s", path, strerror(errno));
  if (child == 0) work_and_leave(work, self);
  while (waitpid(child, &how, 0) < 0)
    if (errno != EINTR)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: waiting for who reads it: %s", path, strerror(errno));
  if (WIFEXITED(how) && is_status(WEXITSTATUS(how))) return WEXITSTATUS(how);
  if (WIFSIGNALED(how) && (WTERMSIG(how) == SIGALRM || WTERMSIG(how) == SIGPROF))
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: reading it does not come to an end", path);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: the library that reads it crashes on it", path);
}
