/* Start another program by posix_spawn with a clean environment, signals and pipes, read its output, and end it after a
 * time limit. */
#include "base/child.h"

#include "base/clock.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_MS = 50 };

extern char **environ;

static int is_launchers(const char *variable)
{
  static const char *const prefixes[] = {"OMPI_",  "PMIX_",    "PMI_", "PMI2_",  "PRTE_", "ORTE_",    "MPI_LOCAL",
                                         "HYDRA_", "MPIEXEC_", "MV2_", "I_MPI_", "PALS_", "SLURM_PMI"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  return 0;
}

/* The environment less the launcher's part: pointers into environ. NULL when memory is out. */
static char **make_environment(char *parent)
{
  size_t n = 0, kept = 0;
  while (environ[n]) n++;
  char **out = malloc((n + 2) * sizeof *out);
  if (!out) return NULL;
  for (size_t i = 0; i < n; i++)
    if (!is_launchers(environ[i]) && strncmp(environ[i], TRIAD_CHILD_PARENT, strlen(TRIAD_CHILD_PARENT)) != 0)
      out[kept++] = environ[i];
  out[kept++] = parent; /* of which the child may ask to be ended with it */
  out[kept] = NULL;
  return out;
}

/* Default handlers and an empty mask: this process ignores SIGPIPE and listens to others. */
static int set_attributes(posix_spawnattr_t *attributes)
{
  sigset_t all, none;
  (void)sigfillset(&all);
  (void)sigemptyset(&none);
  int error = posix_spawnattr_setsigdefault(attributes, &all);
  if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
  if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP;
  return error ? error : posix_spawnattr_setflags(attributes, flags);
}

/* 0 or an errno. Both outputs go to `out_fd`. */
static int spawn(pid_t *pid, const char *const *argv, int out_fd)
{
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  char parent[sizeof TRIAD_CHILD_PARENT + 24];
  (void)snprintf(parent, sizeof parent, TRIAD_CHILD_PARENT "%ld", (long)getpid());
  char **environment = make_environment(parent);
  if (!environment) return ENOMEM;
  int error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
      error = set_attributes(&attributes);
      if (!error) error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
      if (!error) error = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
      if (!error) error = posix_spawn_file_actions_adddup2(&actions, out_fd, STDERR_FILENO);
      if (!error) error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environment);
      (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)posix_spawnattr_destroy(&attributes);
  }
  free(environment);
  return error;
}

/* Take what has come; what does not fit is dropped. Returns 0 at the end of the stream. */
static int read_output(int fd, triad_child *child)
{
  char piece[1024];
  size_t length = strlen(child->said);
  ssize_t n = read(fd, piece, sizeof piece);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  size_t room = sizeof child->said - 1 - length, keep = (size_t)n < room ? (size_t)n : room;
  memcpy(child->said + length, piece, keep);
  child->said[length + keep] = '\0';
  return n > 0;
}

static int has_ended(triad_child *child, int options)
{
  int status = 0;
  pid_t got;
  do got = waitpid(child->pid, &status, options);
  while (got < 0 && errno == EINTR);
  if (got == 0) return 0;
  child->code = got < 0 ? TRIAD_ERR_INTERNAL : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 1;
}

/* Read until the program has ended, and what it said last with it. Something that it started may hold the pipe open
 * for longer, so the end of the stream is not what ends this. */
static void watch(triad_child *child, int fd, double limit, const volatile sig_atomic_t *stop)
{
  double begin = triad_now();
  int open = 1, ended = 0;
  child->in_time = 1;
  while (!ended) {
    struct pollfd p = {.fd = open ? fd : -1, .events = POLLIN};
    if (poll(&p, 1, TICK_MS) > 0) open = read_output(fd, child);
    ended = has_ended(child, WNOHANG);
    if (ended || (triad_now() - begin < limit && !(stop && *stop))) continue;
    child->in_time = 0;
    (void)kill(-child->pid, SIGKILL);
    ended = has_ended(child, 0);
  }
  struct pollfd p = {.fd = fd, .events = POLLIN};
  while (open && poll(&p, 1, 0) > 0) open = read_output(fd, child);
}

void triad_child_run(triad_child *out, const char *const *argv, double limit, const volatile sig_atomic_t *stop)
{
  int ends[2];
  pid_t pid = -1;
  memset(out, 0, sizeof *out);
  if (pipe2(ends, O_CLOEXEC) != 0) {
    (void)snprintf(out->said, sizeof out->said, "pipe: %s", strerror(errno));
    return;
  }
  int error = spawn(&pid, argv, ends[1]);
  (void)close(ends[1]);
  if (!error) {
    out->started = 1;
    out->pid = (int)pid;
    watch(out, ends[0], limit, stop);
  }
  (void)close(ends[0]);
  if (error) (void)snprintf(out->said, sizeof out->said, "%.1000s: %s", argv[0], strerror(error));
}
