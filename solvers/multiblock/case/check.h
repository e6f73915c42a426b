/* Check of a case before a run, and its resource estimate. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_CASE_CHECK_H
#define TRIAD_SOLVERS_MULTIBLOCK_CASE_CHECK_H

#include "solvers/multiblock/state/flow.h"

/* triad_solver.check */
int triad_multiblock_check(const triad_case *given, int size, int threads, triad_needs *needs);

#endif
