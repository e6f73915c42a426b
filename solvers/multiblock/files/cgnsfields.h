/* Fields as CGNS. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_FILES_CGNSFIELDS_H
#define TRIAD_SOLVERS_MULTIBLOCK_FILES_CGNSFIELDS_H

#include "solvers/multiblock/state/flow.h"

/* RUN/fields/blocks-<step>.cgns of the .h5 beside it, which is written already. On one rank. */
int triad_multiblock_cgns_fields(const triad_multiblock_flow *f, const char *folder);

#endif
