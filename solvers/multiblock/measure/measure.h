/* Columns of the series. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MEASURE_MEASURE_H
#define TRIAD_SOLVERS_MULTIBLOCK_MEASURE_MEASURE_H

#include "solvers/multiblock/state/flow.h"

int triad_mb_columns_of(const triad_mb_setup *setup, const triad_mb_patches *patches); /* how many */
int triad_mb_columns_create(triad_mb_flow *f);

/* triad_solver.measure, conserved */
int triad_mb_measure(void *flow, double *columns);
int triad_mb_conserved_columns(const void *flow, const double *first, triad_conserved *list);

#endif
