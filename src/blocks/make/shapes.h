/* Grids that are generated: the kinds, and the nodes of those that need preparation. Not collective, as all here. */
#ifndef TRIAD_BLOCKS_MAKE_SHAPES_H
#define TRIAD_BLOCKS_MAKE_SHAPES_H

#include "blocks/grid.h"

/* aerofoil.c: a section by its four digits, and its nodes. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_section_read(triad_blocks_grid *grid, const char *digits);
void triad_blocks_aerofoil(const triad_blocks_grid *g, const double at[3], double x[3]);
/* The section from the trailing edge over the upper side to the nose and back: angle 0 to 2 pi, in chords. */
void triad_blocks_section_point(const triad_blocks_grid *g, double angle, double z[2]);

/* cgrid.c: C-grids about a section that has been read, and about the ONERA M6 wing. TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. */
int triad_blocks_cgrid_prepare(triad_blocks_grid *grid);
void triad_blocks_cgrid(const triad_blocks_grid *g, const double at[3], double x[3]);
void triad_blocks_wing(const triad_blocks_grid *g, const double at[3], double x[3]);

/* Kind number i, as a word of grid.kind; NULL behind the last. */
const triad_word *triad_blocks_shape_word(int i);
extern const triad_blocks_shape triad_blocks_shapes[]; /* ended by one without a name */

#endif
