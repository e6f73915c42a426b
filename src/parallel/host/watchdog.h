/* A watchdog: when nothing has moved for far too long, every rank that still can says where it stands, and the run ends
 * with exit code 74 instead of waiting for ever, for a file system that does not answer or a rank that was stopped.
 *
 * Too long is the larger of a limit and 20 times the median of what this activity took before. Time in which the whole
 * process was stopped does not count. A NULL watch does nothing; so does one of limit 0. Nothing is collective. */
#ifndef TRIAD_PARALLEL_HOST_WATCHDOG_H
#define TRIAD_PARALLEL_HOST_WATCHDOG_H

typedef struct triad_watchdog triad_watchdog;

/* What is watched, each with durations of its own. */
typedef enum triad_activity { TRIAD_WATCHDOG_STEP, TRIAD_WATCHDOG_FILES, TRIAD_ACTIVITIES } triad_activity;

/* limit [s]. TRIAD_ERR_MEMORY, or TRIAD_ERR_INTERNAL when no thread could be started. */
int triad_watchdog_create(triad_watchdog **out, int rank, double limit);
void triad_watchdog_destroy(triad_watchdog **watch);

/* An activity begins; where it stands now, which must outlive it (a literal); it is over. */
void triad_watchdog_begin(triad_watchdog *watch, triad_activity activity, const char *place);
void triad_watchdog_at(triad_watchdog *watch, const char *place);
void triad_watchdog_end(triad_watchdog *watch);

/* How long an activity may take, after it took `n` durations [s], which are sorted here. */
double triad_watchdog_limit(double limit, double *durations, int n);

#endif
