/* Rates of cells on the CPU, which limit the time step. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_HOST_RATES_H
#define TRIAD_SOLVERS_MULTIBLOCK_HOST_RATES_H

#include "solvers/multiblock/state/flow.h"

/* Rates of all cells into flow->step, volume a time; returns the largest over volume. Not collective. */
double triad_multiblock_rates(triad_multiblock_flow *f);

/* The same of n cells in a row, whose primitives are q. */
double triad_multiblock_rate_row(triad_multiblock_flow *f, const triad_zone_part *part,
                                 triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], int64_t at, int64_t n);

#endif
