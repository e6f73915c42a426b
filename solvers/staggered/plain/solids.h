/* Solid bodies: which cells of a rank's block they fill. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_SOLIDS_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_SOLIDS_H

#include "case/case.h"
#include "grid/partition.h"

/* Returns 1 if the case has solids at time t. */
int triad_staggered_has_solids(const triad_case *given, double t);

/* 1 where a cell is solid, solid[z][y][x] of own cells, zero before; NULL: can they be placed? TRIAD_ERR_CASE for a
 * box that is not on the grid, or meets its own periodic image, and cubes that do not fit. Not collective, but the
 * same on all ranks. */
int triad_staggered_solids(const triad_case *given, const triad_partition *blocks, uint8_t *solid);

#endif
