/* Check a case, and its needs, before a flow exists (triad_solver.check). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_CASE_CHECK_H
#define TRIAD_SOLVERS_UNSTRUCTURED_CASE_CHECK_H

#include "solvers/unstructured/state/flow.h"

int triad_unstructured_check(const triad_case *given, int size, int threads, triad_needs *needs);

#endif
