/* Interpolation at any point of the box: values of the staggered mesh around it, and their weights. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_PLACES_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_PLACES_H

#include "solvers/staggered/state/mesh.h"

/* Cells about the one that a place is in, along each axis to both sides, as far as solids are asked for. */
enum {
  TRIAD_STAGGERED_ABOUT = 3,
  TRIAD_STAGGERED_BLOCK = 2 * TRIAD_STAGGERED_ABOUT + 1,
  TRIAD_STAGGERED_BLOCK_CELLS = TRIAD_STAGGERED_BLOCK * TRIAD_STAGGERED_BLOCK * TRIAD_STAGGERED_BLOCK
};
enum { TRIAD_STAGGERED_STENCIL = 4 /* numbers along an axis */ };

/* n[0] x n[1] x n[2] numbers of a component; at: in the whole grid, -1 and n being ghosts at ends that are not
 * periodic. */
typedef struct triad_staggered_stencil {
  int n[3];
  int64_t at[3][TRIAD_STAGGERED_STENCIL];
  double weight[TRIAD_STAGGERED_STENCIL * TRIAD_STAGGERED_STENCIL * TRIAD_STAGGERED_STENCIL]; /* [z][y][x], of n */
} triad_staggered_stencil;

/* The cell that a coordinate of the box is in; the coordinate, through the ends of a periodic axis. Not collective,
 * as all here. */
double triad_staggered_coordinate(const triad_staggered_mesh *mesh, int axis, double x);
int64_t triad_staggered_cell_at(const triad_staggered_mesh *mesh, int axis, double x);

/* Component a of the velocity at x, a = 3: the pressure, a = 4: the temperature. solid: which cells of the block about
 * the place are, [z][y][x]; NULL: none.
 *
 * The polynomial of third degree through four numbers along each axis, walls being places where the velocity is
 * known, or the temperature if it is held there; at other ends the four nearest. Where a solid is among them it is
 * linear in each direction, and as solids have it: a velocity falls to 0 on their faces, the others are level up to
 * them. In a solid all weights are 0. */
void triad_staggered_stencil_of(const triad_staggered_mesh *mesh, int a, const double x[3], const uint8_t *solid,
                                triad_staggered_stencil *out);

#endif
