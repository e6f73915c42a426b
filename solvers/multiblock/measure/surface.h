/* Write the values on all walls to a file, RUN/surfaces/surface-<step>.h5. Collective. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MEASURE_SURFACE_H
#define TRIAD_SOLVERS_MULTIBLOCK_MEASURE_SURFACE_H

#include "solvers/multiblock/state/flow.h"

/* RUN/surfaces/surface-<step>.h5. Collective. */
int triad_multiblock_surface_write(const triad_multiblock_flow *f, const char *run_dir, const triad_notes *notes);

#endif
