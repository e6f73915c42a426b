/* Creation and destruction of a flow on blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_CREATE_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_CREATE_H

#include "solvers/multiblock/state/flow.h"

/* triad_solver.create, destroy. Collective. */
int triad_multiblock_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_multiblock_destroy(void **flow);

#endif
