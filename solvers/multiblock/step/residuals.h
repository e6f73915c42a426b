/* Residuals of a steady flow. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STEP_RESIDUALS_H
#define TRIAD_SOLVERS_MULTIBLOCK_STEP_RESIDUALS_H

#include "solvers/multiblock/state/flow.h"

/* The residual of an equation at the last step, over that of the first. */
double triad_mb_residual(const triad_mb_flow *f, int equation);

/* Norms of the last step's residuals over all ranks, from f->squares. Collective. */
int triad_mb_residuals_sum(triad_mb_flow *f);

/* Is every residual below time.residual? */
int triad_mb_is_steady(const triad_mb_flow *f);

/* triad_solver.settled: how near to time.residual the largest has come, 0 to 1, by its order of magnitude; goal: the
 * residual that a steady flow must reach. */
double triad_mb_settled(const void *flow);
int triad_mb_goal(const triad_case *given, const void *flow, char *text, size_t size);

#endif
