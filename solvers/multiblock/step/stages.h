/* Compute all stages of an explicit step. Collective. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_STAGES_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_STAGES_H

#include "solvers/multiblock/step/loops.h"

/* The state after a step of cfl over the rate of each cell, or of dt if dt > 0, with primitives and halos.
 * Collective. */
void triad_multiblock_stages(triad_multiblock_flow *f, double cfl, double dt);

/* Sources by formula at time t, if the case has them. Not collective. */
void triad_multiblock_sources(triad_multiblock_flow *flow, double t);

#endif
