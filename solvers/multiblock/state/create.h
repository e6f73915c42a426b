/* Creation and destruction of a flow on blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_CREATE_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_CREATE_H

#include "solvers/multiblock/state/flow.h"

extern const triad_field_info triad_mb_fields[TRIAD_MB_FIELDS], triad_mb_frozen_fields[TRIAD_MB_FIELDS];

/* triad_solver.create, destroy. Collective. */
int triad_mb_create(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
void triad_mb_destroy(void **flow);

#endif
