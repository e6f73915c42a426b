/* Implicit steps on the CPU: the members of triad_mb_loops of these names. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_RELAX_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_RELAX_H

#include "solvers/multiblock/state/flow.h"

void triad_mb_implicit_steps(triad_mb_flow *f, double c);
void triad_mb_first_change(triad_mb_flow *f);
void triad_mb_exchange_change(triad_mb_flow *f, int change);
void triad_mb_relax(triad_mb_flow *f, int from, int to);
void triad_mb_apply_change(triad_mb_flow *f, int change);

#endif
