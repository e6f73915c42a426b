/* Central fluxes of a row of faces on the CPU. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_HOST_CENTRAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_HOST_CENTRAL_H

#include "solvers/compressible/host/tile.h"

/* Central fluxes of n faces, the first below place `at`. */
void triad_compressible_central_row(const triad_compressible_march *m, int64_t at, int64_t n,
                                    triad_compressible_row face[5]);

#endif
