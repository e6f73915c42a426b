/* The keys that the compressible solver adds to a case, their rules, and the quantities of its slices. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_KEYS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_KEYS_H

#include "solvers/compressible/case/part.h"

/* Return word i of equations.riemann: first those of triad_compressible_riemann, in order; NULL behind the last. */
const triad_word *triad_compressible_flux_word(int i);

#endif
