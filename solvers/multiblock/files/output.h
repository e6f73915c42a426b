/* Blocks and fields as HDF5 and XDMF. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_FILES_OUTPUT_H
#define TRIAD_SOLVERS_MULTIBLOCK_FILES_OUTPUT_H

#include "solvers/multiblock/state/flow.h"

/* Value number `which` of those in part.h at a place of this rank's memory. */
triad_real triad_multiblock_value(const triad_multiblock_flow *f, int which, int64_t at);
int triad_multiblock_fields_write(void *flow, const char *run_dir, const triad_notes *notes);

#endif
