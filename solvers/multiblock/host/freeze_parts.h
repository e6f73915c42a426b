/* Parts that limiters leave of slopes, on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_FREEZE_PARTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_FREEZE_PARTS_H

#include "solvers/multiblock/state/flow.h"

/* triad_multiblock_loops.freeze: flow->kept from the primitives and their halos. */
void triad_multiblock_freeze_parts(triad_multiblock_flow *f);

#endif
