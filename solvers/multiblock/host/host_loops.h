/* The table of loops for the CPU (step/loops.h). */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_HOST_LOOPS_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_HOST_LOOPS_H

#include "solvers/multiblock/step/loops.h"

extern const triad_multiblock_loops triad_multiblock_host_loops;

#endif
