/* Run another program without a shell and with a time limit. */
#ifndef TRIAD_BASE_CHILD_H
#define TRIAD_BASE_CHILD_H

#include <signal.h>

enum { TRIAD_CHILD_SAID = 4096 };

/* followed by the pid of the parent; an environment variable of the program */
#define TRIAD_CHILD_PARENT "TRIAD_PARENT="

typedef struct triad_child {
  int started; /* 0: the program does not exist, or the system refused; see `said` */
  int in_time; /* 0: it was ended because of the time limit or on request */
  int code;    /* exit code; 128 + number of the signal that ended it */
  int pid;
  char said[TRIAD_CHILD_SAID]; /* the beginning of its output to stdout and stderr */
} triad_child;

/* Run argv[0] (searched in PATH if it contains no '/') and wait for its end, at most `limit` seconds; it is ended
 * earlier if *stop becomes nonzero (NULL: never). It has no input, default signals and a process group of its own. Its
 * environment lacks the variables of MPI launchers, so that an MPI library in it does not take the process for a rank.
 * Every outcome is in *out. Safe after MPI_Init: posix_spawn copies no page of this process. Not collective. */
void triad_child_run(triad_child *out, const char *const *argv, double limit, const volatile sig_atomic_t *stop);

#endif
