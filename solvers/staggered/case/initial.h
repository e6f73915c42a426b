/* The initial condition of a staggered flow. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_INITIAL_H
#define TRIAD_SOLVERS_STAGGERED_CASE_INITIAL_H

#include "solvers/solver.h"

/* As in solvers/solver.h; flow: a triad_staggered_flow. Collective. */
int triad_staggered_initial(void *flow, triad_log *log);

#endif
