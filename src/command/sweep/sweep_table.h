/* ensemble.csv: the result of each run of a sweep, a row per run. */
#ifndef TRIAD_COMMAND_SWEEP_SWEEP_TABLE_H
#define TRIAD_COMMAND_SWEEP_SWEEP_TABLE_H

#include "command/sweep/sweep.h"

/* sweep_table.c: DIR/ensemble.csv, a row a run: its folder, the values of the keys, its exit code (-1: not begun),
 * and the last row of its series. On rank 0. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_sweep_table(const triad_sweep *sweep, const char *dir, const int *codes);

#endif
