/* Solids from a file or a formula: a mask of cells. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_MASK_H
#define TRIAD_SOLVERS_STAGGERED_CASE_MASK_H

#include "grid/partition.h"
#include "parallel/context.h"
#include "case/case.h"
#include "solvers/staggered/state/mesh.h"

/* 1 where dataset solid (z, y, x) of solids.file is not 0, as triad_staggered_solids has it. TRIAD_ERR_CASE,
 * TRIAD_ERR_INPUT, TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_mask(triad_context *context, const triad_case *given, const triad_partition *blocks,
                         uint8_t *solid);

/* The same where solids.formula is not 0 at the centre of a cell. */
int triad_staggered_mask_formula(const triad_staggered_mesh *mesh, const triad_case *given, uint8_t *solid);

#endif
