/* Differences of a field between points, on the CPU, for derivatives in budgets. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_DIFFERENCES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_DIFFERENCES_H

#include "solvers/compressible/state/internal.h"

/* For derivatives in budgets. */
triad_compressible_differences triad_compressible_differences_of(const triad_compressible *w);

#endif
