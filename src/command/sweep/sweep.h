/* `triad run CASE --sweep KEY=V,V`: a case with several values of some keys, each combination a run in a folder of
 * its own, side by side on groups of ranks; and a table of all. */
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

/* sweep_values.c: parse "KEY=V,V,..": values separated by commas outside of brackets, parentheses and quotes; "1..8"
 * means all integers from 1 to 8; no duplicates, also in another notation. TRIAD_ERR_USAGE, TRIAD_ERR_MEMORY. Clear it
 * after use, also after an error. Not collective. */
int triad_sweep_parse(triad_sweep *sweep, const char *const *texts, int n);
void triad_sweep_clear(triad_sweep *sweep);

/* The value of key k in run number `run`. */
const char *triad_sweep_value(const triad_sweep *sweep, int run, int k);

/* sweep_folders.c: TRIAD_ERR_CASE if DIR/run-NNN has checkpoints of a run with another value of a swept key that
 * affects the results, without from_start or new_case: the table would give its results under this value. s: has the
 * text of the case; own: the run's arguments. Not collective. */
int triad_sweep_check_folder(const triad_sweep *sweep, const char *dir, int run, const triad_session *s,
                             const triad_arguments *own);

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

/* sweep_table.c: DIR/ensemble.csv, a row a run: its folder, the values of the keys, its exit code (-1: not begun),
 * and the last row of its series. On rank 0. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_sweep_table(const triad_sweep *sweep, const char *dir, const int *codes);

#endif
