/* Residuals of a steady flow. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_RESIDUALS_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_RESIDUALS_H

#include "solvers/multiblock/state/flow.h"

/* The residual of an equation at the last step, over that of the first. */
double triad_multiblock_residual(const triad_multiblock_flow *f, int equation);

/* Norms of the last step's residuals over all ranks, from f->squares. Collective. */
int triad_multiblock_residuals_sum(triad_multiblock_flow *f);

/* Is every residual below time.residual? */
int triad_multiblock_is_steady(const triad_multiblock_flow *f);

/* triad_solver.settled: how near to time.residual the largest has come, 0 to 1, by its order of magnitude; goal: the
 * residual that a steady flow must reach. */
double triad_multiblock_settled(const void *flow);
int triad_multiblock_goal(const triad_case *given, const void *flow, char *text, size_t size);

#endif
