/* Limiters and boundary conditions of flow on blocks, one row for each. The enumerations, the words of the keys, the
 * loops of both devices and the tests are generated from these rows. Fluxes are rows of solvers/gas/kinds.h. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_KINDS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_KINDS_H

enum { TRIAD_MULTIBLOCK_FIELDS = 5 };

/* Kind, word of equations.limiter, what the word means. */
#define TRIAD_MULTIBLOCK_LIMITER_ROWS(X) \
  X(TRIAD_MULTIBLOCK_NO_LIMITER, "none", "slopes by equations.kappa") \
  X(TRIAD_MULTIBLOCK_LIMIT_VAN_ALBADA, "van-albada", "(r^2 + r)/(1 + r^2)") \
  X(TRIAD_MULTIBLOCK_LIMIT_VAN_LEER, "van-leer", "2 r/(1 + r)") \
  X(TRIAD_MULTIBLOCK_LIMIT_MINMOD, "minmod", "min(r, 1)") \
  X(TRIAD_MULTIBLOCK_LIMIT_SUPERBEE, "superbee", "max(min(2 r, 1), min(r, 2))") \
  X(TRIAD_MULTIBLOCK_LIMIT_OSPRE, "ospre", "1.5 (r^2 + r)/(r^2 + r + 1)")

/* Kind, word in boundaries.patches. Faces of no patch are collapsed: they have no area. A wall is one that the fluid
 * sticks to, adiabatic or of a temperature. */
#define TRIAD_MULTIBLOCK_BOUNDARY_ROWS(X) \
  X(TRIAD_MULTIBLOCK_UNNAMED, "") \
  X(TRIAD_MULTIBLOCK_SLIP, "slip") \
  X(TRIAD_MULTIBLOCK_SYMMETRY, "symmetry") \
  X(TRIAD_MULTIBLOCK_WALL, "wall") \
  X(TRIAD_MULTIBLOCK_FARFIELD, "farfield") \
  X(TRIAD_MULTIBLOCK_SUPERSONIC_IN, "supersonic-inflow") \
  X(TRIAD_MULTIBLOCK_SUPERSONIC_OUT, "supersonic-outflow") \
  X(TRIAD_MULTIBLOCK_SUBSONIC_IN, "subsonic-inflow") \
  X(TRIAD_MULTIBLOCK_SUBSONIC_OUT, "subsonic-outflow") \
  X(TRIAD_MULTIBLOCK_TOTAL, "total") \
  X(TRIAD_MULTIBLOCK_EXACT, "exact")

#define TRIAD_MULTIBLOCK_KIND(kind, ...) kind,
#define TRIAD_MULTIBLOCK_ONE_MORE(...) +1
typedef enum triad_multiblock_limiter { TRIAD_MULTIBLOCK_LIMITER_ROWS(TRIAD_MULTIBLOCK_KIND) } triad_multiblock_limiter;
typedef enum triad_multiblock_boundary {
  TRIAD_MULTIBLOCK_BOUNDARY_ROWS(TRIAD_MULTIBLOCK_KIND)
} triad_multiblock_boundary;
enum { TRIAD_MULTIBLOCK_LIMITERS = 0 TRIAD_MULTIBLOCK_LIMITER_ROWS(TRIAD_MULTIBLOCK_ONE_MORE) };
enum { TRIAD_MULTIBLOCK_BOUNDARIES = 0 TRIAD_MULTIBLOCK_BOUNDARY_ROWS(TRIAD_MULTIBLOCK_ONE_MORE) };
#undef TRIAD_MULTIBLOCK_KIND
#undef TRIAD_MULTIBLOCK_ONE_MORE

#endif
