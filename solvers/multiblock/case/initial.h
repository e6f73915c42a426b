/* Initial conditions, and the data of a checkpoint in addition to the state. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_CASE_INITIAL_H
#define TRIAD_SOLVERS_MULTIBLOCK_CASE_INITIAL_H

#include "solvers/multiblock/state/flow.h"

/* triad_solver.initial, keep, settle. The first and the last are collective. */
int triad_multiblock_initial(void *flow, triad_log *log);
int triad_multiblock_keep(const void *flow, triad_notes *notes);
int triad_multiblock_settle(void *flow, const triad_manifest *resumed, triad_log *log);

/* triad_solver.check_state. Collective. */
int triad_multiblock_check_state(void *flow, const char *when, triad_log *log);

#endif
