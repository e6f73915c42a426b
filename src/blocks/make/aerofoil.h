/* O-grids around NACA four-digit sections: prepare a section, then evaluate nodes. */
#ifndef TRIAD_BLOCKS_MAKE_AEROFOIL_H
#define TRIAD_BLOCKS_MAKE_AEROFOIL_H

#include "blocks/make/shapes.h"

/* aerofoil.c: read a NACA section from its four digits; the nodes of its grid. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_section_read(triad_blocks_grid *grid, const char *digits);
void triad_blocks_aerofoil(const triad_blocks_grid *g, const double at[3], double x[3]);
/* A point of the section, in chords: angle 0 to 2 pi, from the trailing edge along the upper side to the nose and
 * back. */
void triad_blocks_section_point(const triad_blocks_grid *g, double angle, double z[2]);

#endif
