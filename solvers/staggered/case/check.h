/* The check of a case of the staggered solver, before a run. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_CHECK_H
#define TRIAD_SOLVERS_STAGGERED_CASE_CHECK_H

#include "solvers/solver.h"

/* As in solvers/solver.h. Not collective. */
int triad_staggered_check(const triad_case *given, int size, int threads, triad_needs *needs);

#endif
