/* Another program, run without a shell and never for longer than it may. */
#ifndef TRIAD_BASE_CHILD_H
#define TRIAD_BASE_CHILD_H

#include <signal.h>

enum { TRIAD_CHILD_SAID = 4096 };

#define TRIAD_CHILD_PARENT "TRIAD_PARENT=" /* and the process that started it, in the environment of the program */

typedef struct triad_child {
  int started; /* 0: there is no such program, or the system refused: said */
  int in_time; /* 0: it was ended because its time was up, or on request  */
  int code;    /* exit code; 128 + the signal that ended it               */
  int pid;
  char said[TRIAD_CHILD_SAID]; /* the beginning of what it wrote to stdout and stderr     */
} triad_child;

/* Run argv[0], found through PATH where it has no '/', and wait for its end, for `limit` seconds at most; it is ended
 * earlier when *stop is not 0 (NULL: never). It reads nothing, starts with default signals in a process group of its
 * own, and gets the environment without what an MPI launcher put there: a library in it that has MPI must not take
 * itself for a rank. All that can happen is told in *out. MPI may be up: no page of this process is copied
 * (posix_spawn). Not collective. */
void triad_child_run(triad_child *out, const char *const *argv, double limit, const volatile sig_atomic_t *stop);

#endif
