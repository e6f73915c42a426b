/* Fields as CGNS. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_FILES_CGNSFIELDS_H
#define TRIAD_SOLVERS_MULTIBLOCK_FILES_CGNSFIELDS_H

#include "solvers/multiblock/state/flow.h"

/* RUN/fields/blocks-<step>.cgns of the .h5 beside it, which is written already. On one rank. */
int triad_mb_cgns_fields(const triad_mb_flow *f, const char *folder);

#endif
