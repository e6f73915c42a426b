/* Sources by formula on the CPU. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_SOURCES_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_SOURCES_H

#include "solvers/multiblock/state/flow.h"

/* flow->source of momentum and energy, times the volumes, from the formulas at time t and the primitives of own cells.
 * Not collective. */
void triad_multiblock_find_sources(triad_multiblock_flow *flow, double t);

#endif
