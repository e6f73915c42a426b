/* Areas, volumes and centres of the cells of blocks, in double precision, from their nodes. Not collective, as all
 * here. */
#ifndef TRIAD_BLOCKS_GEOMETRY_H
#define TRIAD_BLOCKS_GEOMETRY_H

#include "blocks/grid.h"

/* The area vector of the quadrilateral a, b, c, d, in this order around it: half the product of its diagonals, which
 * all surfaces with these edges have in common. */
void triad_blocks_quad_area(const double a[3], const double b[3], const double c[3], const double d[3], double area[3]);

/* The volume of a cell from its corners, i fastest, and the area vectors of its lower faces, s[axis]. Corners beyond
 * the last node are NULL: such a cell has only those faces whose corners are all known, and the volume 0. */
double triad_blocks_measure_cell(const double *const corner[8], double s[3][3]);

/* The volume of a cell of a zone. */
double triad_blocks_cell_volume(const triad_blocks_grid *grid, int zone, const int64_t cell[3]);

/* The centre of a cell of a zone, or of one layer beyond it: the mean of its corners. */
void triad_blocks_cell_centre(const triad_blocks_grid *grid, const triad_zones *zones, int zone, const int64_t cell[3],
                              double x[3]);

/* Returns 1 if this face of a cell is at the boundary of its zone and joined to nothing. */
int triad_blocks_face_is_open(const triad_zones *zones, int zone, const int64_t cell[3], int axis, int upper);

#endif
