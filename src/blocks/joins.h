/* The zones of a grid: its blocks, and the pairs of faces that coincide. */
#ifndef TRIAD_BLOCKS_JOINS_H
#define TRIAD_BLOCKS_JOINS_H

#include "blocks/grid.h"

/* Make the zones of a grid, joined where faces coincide directly or after a periodic shift; they are not yet assigned
 * to ranks. */
int triad_blocks_grid_zones(triad_zones **out, const triad_blocks_grid *grid);

#endif
