/* `triad run CASE --sweep KEY=V,V`: a case with several values of some keys. Each combination is a run in a folder of
 * its own. Groups of ranks execute runs concurrently; a table summarises all. */
#ifndef TRIAD_COMMAND_SWEEP_SWEEP_H
#define TRIAD_COMMAND_SWEEP_SWEEP_H

#include "command/session/session.h"

#include <signal.h>

enum { TRIAD_SWEEP_KEYS = 16, TRIAD_SWEEP_RUNS = 4096 };

typedef struct triad_sweep_key {
  char *key, **values; /* malloc'd; values as --set takes them */
  double *numbers;     /* what they stand for; not a number: text, or unknown here */
  int n;
} triad_sweep_key;

/* All combinations, the last key fastest. */
typedef struct triad_sweep {
  int n_keys, n_runs;
  /* The caller's, after triad_sweep_parse: */
  int from_start, new_case; /* as the options of triad run                           */
  const int *limited;       /* not 0 once the wall-clock limit has stopped a run here */
  triad_sweep_key keys[TRIAD_SWEEP_KEYS];
} triad_sweep;

/* One run, in its directory, on the ranks of its session, until *request asks to stop; returns its exit code. */
typedef int triad_sweep_one(triad_session *s, const triad_arguments *arguments, const char *dir,
                            volatile sig_atomic_t *request, void *who);

/* Check all cases, then run them: with P ranks and N runs, min(P, N) groups of ranks process them one after the other,
 * in DIR/run-001 and so on, until *request asks to stop or the wall-clock limit has stopped one. Groups of one rank
 * run at_once runs concurrently in one process, up to TRIAD_FIBERS_MAX; 0: one. A failed run does not end the others.
 * Then write DIR/ensemble.csv. Returns the worst exit code. TRIAD_ERR_USAGE for at_once with groups of several ranks,
 * TRIAD_ERR_MEMORY if it does not fit. Collective. */
int triad_sweep_run(triad_session *all, const triad_arguments *arguments, const triad_sweep *sweep, const char *dir,
                    int at_once, triad_sweep_one *one, void *who, volatile sig_atomic_t *request);

#endif
