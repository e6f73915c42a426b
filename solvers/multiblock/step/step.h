/* A step of the multi-block solver, for the time loop. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_STEP_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_STEP_H

#include "solvers/multiblock/state/flow.h"

/* triad_solver.advance. Collective. */
int triad_multiblock_advance(void *flow, triad_step *step);

#endif
