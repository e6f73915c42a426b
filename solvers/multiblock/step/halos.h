/* Primitives with their halos: after a stage, and of a state that is new. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_HALOS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_HALOS_H

#include "solvers/multiblock/step/loops.h"

/* Begin: boundaries, and messages leave. Cells that see no message's halo may be worked at until the end.
 * Collective. */
void triad_mb_halos_begin(triad_mb_flow *f, const triad_mb_loops *on);
void triad_mb_halos_end(triad_mb_flow *f, const triad_mb_loops *on);

/* Primitives of the state and their halos, where steps are taken; counts bad cells. Collective. */
int triad_mb_refresh(triad_mb_flow *f);

/* With steps on a GPU: the state, and all that follows from it, to the host. Else nothing. Collective. */
int triad_mb_copy_to_host(triad_mb_flow *f);

#endif
