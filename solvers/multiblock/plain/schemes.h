/* Runge-Kutta schemes of flow on blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SCHEMES_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SCHEMES_H

#include "solvers/schemes.h"

/* The scheme of a word of time.scheme. */
triad_scheme triad_multiblock_scheme_of(const char *name);

#endif
