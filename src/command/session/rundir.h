/* The run directory: made, claimed and described before the first step. */
#ifndef TRIAD_COMMAND_SESSION_RUNDIR_H
#define TRIAD_COMMAND_SESSION_RUNDIR_H

#include "command/session/inputs.h"
#include "command/session/session.h"
#include "store/lock/lock.h"

/* Make `dir` with its folders, and take its lock, which rank 0 holds in *lock. A folder that holds other things than a
 * run is refused with TRIAD_ERR_CASE, one that another run has with TRIAD_ERR_IO. Collective. */
int triad_rundir_claim(triad_session *s, const char *dir, int break_lock, triad_lock **lock);

/* A sentence to a triad_log: what a lock is waiting for. No warning: nothing is wrong with the run. */
void triad_rundir_tell(void *log, const char *text);

/* Write case.toml (as given; --set in comments) and case.resolved.toml into it. On rank 0. */
int triad_rundir_write_case(const triad_session *s, const triad_arguments *arguments, const triad_inputs *in,
                            const char *dir);

/* Move results and case into a new folder of it, before-N, and make the run's folders again. On rank 0. */
int triad_rundir_set_aside(const char *dir, char aside[TRIAD_PATH]);

/* Is `dir` a run directory? TRIAD_ERR_INPUT if it does not exist, TRIAD_ERR_CASE if it is something else. Not
 * collective. */
int triad_rundir_check(const char *dir);

/* Where a case runs without --dir: its name without .toml, in the working directory. malloc'd; NULL without memory. */
char *triad_rundir_default(const char *case_path);

#endif
