/* The table of loops for the CPU (step/loops.h). */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_HOST_HOST_LOOPS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_HOST_HOST_LOOPS_H

#include "solvers/compressible/step/loops.h"

extern const triad_compressible_loops triad_compressible_host_loops;

#endif
