/* The runs of a sweep that one group of ranks executes, one after the other or several at once. */
#ifndef TRIAD_COMMAND_SWEEP_SWEEP_GROUP_H
#define TRIAD_COMMAND_SWEEP_SWEEP_GROUP_H

#include "command/sweep/sweep.h"

#include "parallel/fibers.h"

typedef struct triad_sweep_group {
  triad_session *all;
  const triad_arguments *arguments;
  const triad_sweep *sweep;
  const char *dir;
  triad_sweep_one *one;
  void *who;
  volatile sig_atomic_t *request;
  triad_comm comm;  /* of the ranks that take a run together                */
  int number, n;    /* this group's, and how many there are                 */
  triad_log *log;   /* its first rank speaks                                */
  int *codes;       /* [n_runs]                                             */
  int at_once;      /* runs under way in a process; not 1: it is a group of its own */
  int gpu, sharers; /* this rank's GPU, and how many ranks have taken it; 0: none was looked for */
  int next;         /* run to begin                                         */
  double done[2];   /* steps that were taken, and those times points; of the first rank */
  volatile sig_atomic_t asked[TRIAD_FIBERS_MAX]; /* what *request has been, for each of those under way */
} triad_sweep_group;

/* The arguments of one run: those of all, and its values, malloc'd: "KEY=VALUE". Clear them after, also where that
 * failed. TRIAD_ERR_USAGE, TRIAD_ERR_MEMORY. Not collective. */
int triad_sweep_arguments(const triad_sweep *sweep, int run, const triad_arguments *all, triad_arguments *out);
void triad_sweep_arguments_clear(const triad_arguments *all, triad_arguments *out);

/* Every n-th run, until a stop is asked for on any rank of the group, or the wall-clock limit has stopped one of its
 * runs; what comes of each is in codes. A run that fails ends no other. Collective among the group's ranks. */
int triad_sweep_group_run(triad_sweep_group *group);

#endif
