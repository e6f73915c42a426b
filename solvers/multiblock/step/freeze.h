/* Frozen limiters: from one step on, the limiter factor of each cell relative to the mean of its two differences is
 * kept. Slopes are then proportional to the flow, limiters no longer switch, and the residual can decrease further. A
 * checkpoint contains the state from which the factors were computed. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_FREEZE_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_FREEZE_H

#include "solvers/multiblock/state/flow.h"

/* Freeze limiters with the flow as it is. Collective. */
int triad_multiblock_freeze(triad_multiblock_flow *f);

/* Freeze them as they were, after a restart: f->frozen_u has that state. Collective. */
int triad_multiblock_freeze_again(triad_multiblock_flow *f);

#endif
