/* Primitives with their halos: after a stage, and of a state that is new. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_HALOS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_HALOS_H

#include "solvers/multiblock/step/loops.h"

/* Begin: boundaries, and messages leave. Cells that see no message's halo may be worked at until the end.
 * Collective. */
void triad_multiblock_halos_begin(triad_multiblock_flow *f, const triad_multiblock_loops *on);
void triad_multiblock_halos_end(triad_multiblock_flow *f, const triad_multiblock_loops *on);

/* Primitives of the state and their halos, where steps are taken; counts bad cells. Collective. */
int triad_multiblock_refresh(triad_multiblock_flow *f);

/* With steps on a GPU: the state, and all that follows from it, to the host. Else nothing. Collective. */
int triad_multiblock_copy_to_host(triad_multiblock_flow *f);

#endif
