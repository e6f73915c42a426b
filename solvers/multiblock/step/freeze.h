/* Frozen limiters: the part that each cell's limiter leaves of the mean of its two differences is kept from one step
 * on, so that slopes follow the flow in proportion, a limiter no longer goes to and fro, and a residual can fall on.
 * A checkpoint has the state that the parts are of. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_FREEZE_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_FREEZE_H

#include "solvers/multiblock/state/flow.h"

/* Freeze limiters with the flow as it is. */
void triad_multiblock_freeze(triad_multiblock_flow *f);

/* Freeze them as they were, after a restart: f->frozen_u has that state. Collective. */
int triad_multiblock_freeze_again(triad_multiblock_flow *f);

#endif
