/* The table of loops for the CPU (step/loops.h). */
#ifndef TRIAD_SOLVERS_STAGGERED_HOST_HOST_LOOPS_H
#define TRIAD_SOLVERS_STAGGERED_HOST_HOST_LOOPS_H

#include "solvers/staggered/step/loops.h"

extern const triad_staggered_loops triad_staggered_host_loops;

#endif
