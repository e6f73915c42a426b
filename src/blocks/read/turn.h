/* Turn left-handed blocks of a grid from files. Not collective. */
#ifndef TRIAD_BLOCKS_READ_TURN_H
#define TRIAD_BLOCKS_READ_TURN_H

#include "blocks/grid.h"

/* Reverse k (or the axis of the only layer) of each block whose cells all have a negative volume: its nodes, rows of
 * the map, and names of its sides, which are those of the file afterwards too. grid->turned counts the blocks. */
void triad_blocks_turn(triad_blocks_grid *grid);

#endif
