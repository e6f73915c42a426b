/* Create the grid of a case. Collective. */
#ifndef TRIAD_BLOCKS_READ_SOURCE_H
#define TRIAD_BLOCKS_READ_SOURCE_H

#include "blocks/make/shapes.h"

/* Create the grid from the keys of [grid]. TRIAD_ERR_CASE, TRIAD_ERR_INPUT, TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Not
 * collective. */
int triad_blocks_grid_create(triad_blocks_grid **out, const triad_case *given);

#endif
