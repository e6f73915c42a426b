/* Layers of cells as HDF5 and PNG. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MEASURE_SLICES_H
#define TRIAD_SOLVERS_MULTIBLOCK_MEASURE_SLICES_H

#include "solvers/multiblock/state/flow.h"

/* triad_solver.slices */
int triad_multiblock_slices(void *flow, const char *run_dir, const triad_notes *notes);

/* Check the slices of a case against its grid: TRIAD_ERR_CASE if it has no such layer. bytes: the most that one time
 * of them needs on the disk. */
int triad_multiblock_slices_check(const triad_case *given, const triad_blocks_grid *grid, int64_t *bytes);

#endif
