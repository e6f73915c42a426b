/* Generated grids: their kinds, and the nodes of kinds that need preparation. Not collective, like all
 * functions here. */
#ifndef TRIAD_BLOCKS_MAKE_SHAPES_H
#define TRIAD_BLOCKS_MAKE_SHAPES_H

#include "blocks/grid.h"

/* aerofoil.c: read a NACA section from its four digits; the nodes of its grid. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_section_read(triad_blocks_grid *grid, const char *digits);
void triad_blocks_aerofoil(const triad_blocks_grid *g, const double at[3], double x[3]);
/* A point of the section, in chords: angle 0 to 2 pi, from the trailing edge along the upper side to the nose and
 * back. */
void triad_blocks_section_point(const triad_blocks_grid *g, double angle, double z[2]);

/* cgrid.c: C-grids around such a section and around the ONERA M6 wing. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_cgrid_prepare(triad_blocks_grid *grid);
void triad_blocks_cgrid(const triad_blocks_grid *g, const double at[3], double x[3]);
void triad_blocks_wing(const triad_blocks_grid *g, const double at[3], double x[3]);

/* Kind number i, as a word of grid.kind; NULL after the last. */
const triad_word *triad_blocks_shape_word(int i);
extern const triad_blocks_shape triad_blocks_shapes[]; /* ended by one without a name */

#endif
