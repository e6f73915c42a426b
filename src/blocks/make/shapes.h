/* Generated grids: their kinds, and the nodes of kinds that need preparation. Not collective, like all
 * functions here. */
#ifndef TRIAD_BLOCKS_MAKE_SHAPES_H
#define TRIAD_BLOCKS_MAKE_SHAPES_H

#include "blocks/grid.h"

/* Kind number i, as a word of grid.kind; NULL after the last. */
const triad_word *triad_blocks_shape_word(int i);
extern const triad_blocks_shape triad_blocks_shapes[]; /* ended by one without a name */

#endif
