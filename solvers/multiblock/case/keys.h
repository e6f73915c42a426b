/* The keys that the multi-block solver adds to a case, and their rules. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_CASE_KEYS_H
#define TRIAD_SOLVERS_MULTIBLOCK_CASE_KEYS_H

#include "solvers/multiblock/case/part.h"

/* Word i of equations.limiter, in the order of kinds.h; NULL behind the last (keys.c). */
const triad_word *triad_multiblock_limiter_word(int i);

#endif
