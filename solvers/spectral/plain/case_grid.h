/* The grid and the modes that a spectral case describes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_CASE_GRID_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_CASE_GRID_H

#include "case/case.h"
#include "grid/grid.h"

/* From the keys of [grid]. TRIAD_ERR_CASE. Not collective. */
int triad_spectral_grid(const triad_case *given, triad_grid *grid);

#endif
