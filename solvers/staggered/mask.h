/* Solids from a file: a mask of cells. */
#ifndef TRIAD_SOLVERS_STAGGERED_MASK_H
#define TRIAD_SOLVERS_STAGGERED_MASK_H

#include "grid/partition.h"
#include "parallel/context.h"
#include "case/case.h"

/* 1 where dataset solid (z, y, x) of solids.file is not 0, as triad_staggered_solids has it. TRIAD_ERR_CASE,
 * TRIAD_ERR_INPUT, TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_mask(triad_context *context, const triad_case *given, const triad_partition *blocks,
                         uint8_t *solid);

#endif
