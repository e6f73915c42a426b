/* Check the limits on open files, file sizes, processes and the stack before MPI starts, and warn of those that MPI
 * needs to be larger. */
#include "command/session/startup.h"

#include "base/status.h"
#include "command/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Open MPI 4 and 5 with one rank on one host open some 20 files, and back 4 MB of shared memory with a file. */
enum { LEAST_FILES = 24, LEAST_BYTES = 8 << 20, FEW_PROCESSES = 4096, LEAST_STACK = 256 << 10, STACK = 8 << 20 };

int triad_launched_as(void)
{
  static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *rank = getenv(variables[i]);
    if (rank) return atoi(rank);
  }
  return -1;
}

int triad_startup_stack(char **argv)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= LEAST_STACK)
    return TRIAD_OK;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > STACK ? STACK : limit.rlim_max;
  if (limit.rlim_cur >= LEAST_STACK && setrlimit(RLIMIT_STACK, &limit) == 0) {
    (void)execv("/proc/self/exe", argv);
    return TRIAD_OK; /* no /proc: the first thread at least has room */
  }
  if (triad_launched_as() <= 0)
    (void)fprintf(
      stderr,
      "triad: error: out of memory: the stack is limited to %llu KB (ulimit -s), and at least %d KB are required. "
      "Use ulimit -s 8192.\n",
      (unsigned long long)limit.rlim_cur >> 10, LEAST_STACK >> 10);
  return TRIAD_ERR_MEMORY;
}

/* Where processes are limited to few: can one be made at all? */
static int cannot_fork(void)
{
  struct rlimit limit;
  int how;
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  if (limit.rlim_cur > FEW_PROCESSES) return 0;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) return errno;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {}
  return 0;
}

void triad_startup_look(void)
{
  struct rlimit limit;
  (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
  if (triad_launched_as() > 0) return;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < LEAST_FILES)
    (void)fprintf(
      stderr,
      "triad: warning: only %llu files can be open at a time (ulimit -n), but MPI needs %d: it may fail to start\n",
      (unsigned long long)limit.rlim_cur, LEAST_FILES);
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < LEAST_BYTES)
    (void)fprintf(stderr,
                  "triad: warning: files are limited to %llu bytes (ulimit -f), but MPI uses larger files for shared "
                  "memory: it may fail to start\n",
                  (unsigned long long)limit.rlim_cur);
  int why = cannot_fork();
  if (why)
    (void)fprintf(
      stderr, "triad: warning: no process can be created (%s; ulimit -u), but MPI creates one: it may fail to start\n",
      strerror(why));
}

void triad_startup_tell(triad_log *log)
{
  if (access("/sys/devices/system/cpu", F_OK) != 0)
    triad_log_info(log, "/sys is not available: the numbers of cores, memory nodes and GPUs are estimates");
}
