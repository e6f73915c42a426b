/* Check the folder of a run of a sweep. */
#ifndef TRIAD_COMMAND_SWEEP_SWEEP_FOLDERS_H
#define TRIAD_COMMAND_SWEEP_SWEEP_FOLDERS_H

#include "command/sweep/sweep.h"

/* sweep_folders.c: TRIAD_ERR_CASE if DIR/run-NNN has checkpoints of a run with another value of a swept key that
 * affects the results, without from_start or new_case: the table would give its results under this value. s: has the
 * text of the case; own: the run's arguments. Not collective. */
int triad_sweep_check_folder(const triad_sweep *sweep, const char *dir, int run, const triad_session *s,
                             const triad_arguments *own);

#endif
