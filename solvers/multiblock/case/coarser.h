/* An initial condition from a run on another grid of the same blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_CASE_COARSER_H
#define TRIAD_SOLVERS_MULTIBLOCK_CASE_COARSER_H

#include "solvers/multiblock/state/flow.h"

/* TRIAD_ERR_CASE, TRIAD_ERR_INPUT. Collective. */
int triad_multiblock_start_coarser(triad_multiblock_flow *f);

#endif
