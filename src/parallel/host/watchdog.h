/* A watchdog: if there is no progress for too long, every rank that still can prints where it is, and the run ends
 * with exit code 74 instead of waiting forever, for example for a file system that does not answer or a rank that was
 * stopped.
 *
 * The limit is the larger of a given time and 20 times the median duration of the same activity. Time in which the
 * whole process was stopped does not count. A NULL watchdog, or one of limit 0, does nothing. Nothing is collective. */
#ifndef TRIAD_PARALLEL_HOST_WATCHDOG_H
#define TRIAD_PARALLEL_HOST_WATCHDOG_H

typedef struct triad_watchdog triad_watchdog;

/* The activities, each with durations of its own. */
typedef enum triad_activity { TRIAD_WATCHDOG_STEP, TRIAD_WATCHDOG_FILES, TRIAD_ACTIVITIES } triad_activity;

/* limit [s]. TRIAD_ERR_MEMORY, or TRIAD_ERR_INTERNAL if the thread could not be started. */
int triad_watchdog_create(triad_watchdog **out, int rank, double limit);
void triad_watchdog_destroy(triad_watchdog **watch);

/* begin: start an activity. at: set its current position, a string literal. end: finish it. */
void triad_watchdog_begin(triad_watchdog *watch, triad_activity activity, const char *place);
void triad_watchdog_at(triad_watchdog *watch, const char *place);
void triad_watchdog_end(triad_watchdog *watch);

/* The time limit of an activity after `n` durations [s], which are sorted in place. */
double triad_watchdog_limit(double limit, double *durations, int n);

#endif
