/* Boundary faces on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_BOUNDARY_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_BOUNDARY_H

#include "solvers/multiblock/state/flow.h"

/* triad_multiblock_loops.boundaries */
void triad_multiblock_boundary_set(triad_multiblock_flow *f);

#endif
