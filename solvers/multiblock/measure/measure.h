/* Columns of the series. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MEASURE_MEASURE_H
#define TRIAD_SOLVERS_MULTIBLOCK_MEASURE_MEASURE_H

#include "solvers/multiblock/state/flow.h"

int triad_multiblock_columns_of(const triad_multiblock_setup *setup,
                                const triad_multiblock_patches *patches); /* how many */
int triad_multiblock_columns_create(triad_multiblock_flow *f);

/* triad_solver.measure, conserved */
int triad_multiblock_measure(void *flow, double *columns);
int triad_multiblock_conserved_columns(const void *flow, const double *first, triad_conserved *list);

#endif
