/* A mesh as the arithmetic of one face or cell sees it, and the sums of forces that it makes. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_SIZES_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_SIZES_H

#include "base/precision.h"

#include <stdint.h>

/* Bits of a cell: which of its faces fluid can go through, lower and upper along each axis, and whether it is solid. */
enum { TRIAD_STAGGERED_SOLID = 64, TRIAD_STAGGERED_ALL_OPEN = 63 };
#define TRIAD_STAGGERED_LOWER(axis) (1 << (2 * (axis)))
#define TRIAD_STAGGERED_UPPER(axis) (2 << (2 * (axis)))

/* Sizes along an axis, to be used with index -1 .. local: h of a cell, d from the centre below a face to the one above,
 * and their inverses. d and its inverse begin at 0. */
typedef struct triad_staggered_sizes {
  int64_t step[3];
  const triad_real *h[3], *d[3], *per_h[3], *per_d[3];
  const uint8_t *open;
} triad_staggered_sizes;

/* Sums of a flow: force on the solids along each axis, and its moment about each; on walls [axis][upper][the two
 * directions along it]. */
enum {
  TRIAD_STAGGERED_FORCE_DRAG,
  TRIAD_STAGGERED_FORCE_MOMENT = TRIAD_STAGGERED_FORCE_DRAG + 3,
  TRIAD_STAGGERED_FORCE_WALLS = TRIAD_STAGGERED_FORCE_MOMENT + 3,
  TRIAD_STAGGERED_FORCE_SUMS = TRIAD_STAGGERED_FORCE_WALLS + 12
};

/* What a rank's cells see, by value: the mesh; face: positions of the lower faces of own cells along each axis, and of
 * the last upper one; centre: of moments; begin: its first cell of n; ends: has the axis any; wall: [axis], does the
 * fluid stick to its lower (1), its upper end (2)? */
typedef struct triad_staggered_sight {
  triad_staggered_sizes sizes;
  const double *face[3];
  double centre[3];
  int64_t begin[3], n[3];
  int ends[3], wall[3];
  double viscosity;
} triad_staggered_sight;

#endif
