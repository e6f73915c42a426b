/* Warn about faces that almost coincide, and therefore are boundaries. */
#ifndef TRIAD_BLOCKS_NEARMISS_H
#define TRIAD_BLOCKS_NEARMISS_H

#include "blocks/faults.h"

/* nearmiss.c: find two faces of a file that are no walls, nearly coincide, and are not joined. `text` describes the
 * first pair; it is "" if there is none. TRIAD_ERR_MEMORY. */
int triad_blocks_find_near_miss(char *text, size_t size, const triad_blocks_grid *grid, const triad_zones *zones,
                                const triad_blocks_patch_mark *mark);

#endif
