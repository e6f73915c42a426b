/* Apply a new grid size to a run. */
#ifndef TRIAD_COMMAND_SESSION_START_GRID_H
#define TRIAD_COMMAND_SESSION_START_GRID_H

#include "command/session/start.h"

/* The callback `regrid`: the case with another grid, if it is valid and memory suffices; recorded and logged. */
int triad_start_regrid(void *start, const int64_t n[3], const char *why, const triad_instant *at,
                       const triad_case **given);

#endif
