/* Implicit steps on the CPU: the members of triad_multiblock_loops of these names. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_RELAX_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_RELAX_H

#include "solvers/multiblock/state/flow.h"

void triad_multiblock_implicit_steps(triad_multiblock_flow *f, double c);
void triad_multiblock_first_change(triad_multiblock_flow *f);
void triad_multiblock_exchange_change(triad_multiblock_flow *f, int change);
void triad_multiblock_relax(triad_multiblock_flow *f, int from, int to);
void triad_multiblock_apply_change(triad_multiblock_flow *f, int change);

#endif
