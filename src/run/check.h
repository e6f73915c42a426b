/* Check whether a case can run, and estimate its resources, before anything is written: checks that neither the schema
 * nor the memory of a single rank can provide. */
#ifndef TRIAD_RUN_CHECK_H
#define TRIAD_RUN_CHECK_H

#include "base/log.h"
#include "case/case.h"
#include "parallel/context.h"
#include "solvers/solver.h"

/* Check a case with its solver (check of solvers/solver.h): TRIAD_ERR_CASE; TRIAD_ERR_INPUT if initial.file is
 * missing; TRIAD_ERR_FEATURE for a solver, device or transport that is not available. Then compute its needs on `size`
 * ranks with `threads` threads, including planned files, and add warnings. Not collective. */
int triad_check(const triad_case *given, int size, int threads, triad_needs *needs);

/* Of needs whose bytes are known: how many of each file the case plans, and bytes on the disk at its end. Not
 * collective. */
void triad_check_files(const triad_case *given, const triad_solver *solver, triad_needs *needs);

#endif
