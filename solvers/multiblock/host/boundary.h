/* Boundary faces on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_BOUNDARY_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_BOUNDARY_H

#include "solvers/multiblock/state/flow.h"

/* triad_mb_loops.boundaries */
void triad_mb_boundary_set(triad_mb_flow *f);

#endif
