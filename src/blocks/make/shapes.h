/* Grids that are generated: the kinds, and the nodes of those that need preparation. Not collective, as all here. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_SHAPES_H
#define TRIAD_SOLVERS_MULTIBLOCK_SHAPES_H

#include "solvers/multiblock/grid.h"

/* aerofoil.c: a section by its four digits, and its nodes. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_mb_section_read(triad_mb_grid *grid, const char *digits);
void triad_mb_aerofoil(const triad_mb_grid *g, const double at[3], double x[3]);
/* The section from the trailing edge over the upper side to the nose and back: angle 0 to 2 pi, in chords. */
void triad_mb_section_point(const triad_mb_grid *g, double angle, double z[2]);

/* cgrid.c: C-grids about a section that has been read, and about the ONERA M6 wing. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_mb_cgrid_prepare(triad_mb_grid *grid);
void triad_mb_cgrid(const triad_mb_grid *g, const double at[3], double x[3]);
void triad_mb_wing(const triad_mb_grid *g, const double at[3], double x[3]);

/* Kind number i, as a word of grid.kind; NULL behind the last. */
const triad_word *triad_mb_shape_word(int i);
extern const triad_mb_shape triad_mb_shapes[]; /* ended by one without a name */

#endif
