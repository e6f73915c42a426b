/* Can this case run, and what will it take? What neither the schema nor a single rank's memory can tell, before
 * anything is written. */
#ifndef TRIAD_RUN_CHECK_H
#define TRIAD_RUN_CHECK_H

#include "case/case.h"
#include "solvers/needs.h"

/* As the solver of the case has it (check of solvers/solver.h): TRIAD_ERR_CASE; TRIAD_ERR_INPUT where initial.file
 * is missing, TRIAD_ERR_FEATURE for a solver, device or transport that is not there. Then the needs on `size` ranks
 * of `threads` threads, with the files that are planned. Not collective. */
int triad_check(const triad_case *given, int size, int threads, triad_needs *needs);

#endif
