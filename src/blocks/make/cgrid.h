/* C-grids around sections, and around the ONERA M6 wing: prepare, then evaluate nodes. */
#ifndef TRIAD_BLOCKS_MAKE_CGRID_H
#define TRIAD_BLOCKS_MAKE_CGRID_H

#include "blocks/make/shapes.h"

/* cgrid.c: C-grids around such a section and around the ONERA M6 wing. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_cgrid_prepare(triad_blocks_grid *grid);
void triad_blocks_cgrid(const triad_blocks_grid *g, const double at[3], double x[3]);
void triad_blocks_wing(const triad_blocks_grid *g, const double at[3], double x[3]);

#endif
