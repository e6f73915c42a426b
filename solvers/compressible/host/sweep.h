/* Inviscid fluxes of a tile on the CPU: its sweeps, and the steps that other fluxes share with them. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_HOST_SWEEP_H
#define TRIAD_SOLVERS_COMPRESSIBLE_HOST_SWEEP_H

#include "solvers/compressible/host/tile.h"

triad_compressible_march triad_compressible_march_of(const triad_compressible_tile *t, int axis, int first);

/* Rates of row (y, z) from the faces below and above it: field by field, -(F_above - F_below)/h. What passes through
 * walls is set first. */
void triad_compressible_difference(const triad_compressible_march *m, int64_t y, int64_t z,
                                   triad_compressible_row *below, triad_compressible_row *above, int64_t shift);

/* Along x: the stencil of the first face of row (y, z), lane by lane those of all others; fluxes by WENO through its
 * n + 1 faces. */
void triad_compressible_stencil_x(const triad_compressible_march *m, int64_t y, int64_t z,
                                  triad_compressible_stencil *c);
void triad_compressible_upwind_x(const triad_compressible_march *m, const triad_compressible_stencil *c,
                                 triad_compressible_row face[5]);

/* Along y and z: the same for the faces below row j. Faces may be left out, but rows must be asked for in rising
 * order. */
triad_compressible_rows triad_compressible_rows_of(const triad_compressible_march *m, int64_t other);
void triad_compressible_stencil_below(const triad_compressible_march *m, triad_compressible_rows *rows, int64_t j,
                                      triad_compressible_stencil *c);
void triad_compressible_upwind_row(const triad_compressible_march *m, triad_compressible_rows *rows, int64_t j,
                                   const triad_compressible_stencil *c, triad_compressible_row face[5]);

#endif
