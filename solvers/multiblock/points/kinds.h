/* Kinds of fluxes, limiters and boundaries of flow on blocks: a row each. The enumerations, the words of the keys, the
 * loops of both devices and the tests come from these rows, so that a kind cannot be forgotten in one of them. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_KINDS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_KINDS_H

/* Kind, word of equations.riemann, what the word means, function (multiblock_points.h). */
#define TRIAD_MB_FLUXES(X) \
  X(TRIAD_MB_ROE, "roe", "Roe's, with Harten's entropy fix", triad_mb_roe) \
  X(TRIAD_MB_VAN_LEER, "van-leer", "van Leer's flux vector splitting", triad_mb_van_leer) \
  X(TRIAD_MB_STEGER_WARMING, "steger-warming", "Steger and Warming's flux vector splitting", triad_mb_steger_warming) \
  X(TRIAD_MB_AUSM, "ausm+", "Liou's advection upstream splitting", triad_mb_ausm)

/* Kind, word of equations.limiter, what the word means. */
#define TRIAD_MB_LIMITER_ROWS(X) \
  X(TRIAD_MB_NO_LIMITER, "none", "slopes by equations.kappa") \
  X(TRIAD_MB_LIMIT_VAN_ALBADA, "van-albada", "(r^2 + r)/(1 + r^2)") \
  X(TRIAD_MB_LIMIT_VAN_LEER, "van-leer", "2 r/(1 + r)") \
  X(TRIAD_MB_LIMIT_MINMOD, "minmod", "min(r, 1)") \
  X(TRIAD_MB_LIMIT_SUPERBEE, "superbee", "max(min(2 r, 1), min(r, 2))") \
  X(TRIAD_MB_LIMIT_OSPRE, "ospre", "1.5 (r^2 + r)/(r^2 + r + 1)")

/* Kind, word in boundaries.patches. Faces of no patch are collapsed: they have no area. A wall is one that the fluid
 * sticks to, adiabatic or of a temperature. */
#define TRIAD_MB_BOUNDARY_ROWS(X) \
  X(TRIAD_MB_UNNAMED, "") \
  X(TRIAD_MB_SLIP, "slip") \
  X(TRIAD_MB_SYMMETRY, "symmetry") \
  X(TRIAD_MB_WALL, "wall") \
  X(TRIAD_MB_FARFIELD, "farfield") \
  X(TRIAD_MB_SUPERSONIC_IN, "supersonic-inflow") \
  X(TRIAD_MB_SUPERSONIC_OUT, "supersonic-outflow") \
  X(TRIAD_MB_SUBSONIC_IN, "subsonic-inflow") \
  X(TRIAD_MB_SUBSONIC_OUT, "subsonic-outflow") \
  X(TRIAD_MB_TOTAL, "total") \
  X(TRIAD_MB_EXACT, "exact")

#define TRIAD_MB_KIND(kind, ...) kind,
#define TRIAD_MB_ONE_MORE(...) +1
typedef enum triad_mb_riemann { TRIAD_MB_FLUXES(TRIAD_MB_KIND) } triad_mb_riemann;
typedef enum triad_mb_limiter { TRIAD_MB_LIMITER_ROWS(TRIAD_MB_KIND) } triad_mb_limiter;
typedef enum triad_mb_boundary { TRIAD_MB_BOUNDARY_ROWS(TRIAD_MB_KIND) } triad_mb_boundary;
enum { TRIAD_MB_RIEMANN_KINDS = 0 TRIAD_MB_FLUXES(TRIAD_MB_ONE_MORE) };
enum { TRIAD_MB_LIMITERS = 0 TRIAD_MB_LIMITER_ROWS(TRIAD_MB_ONE_MORE) };
enum { TRIAD_MB_BOUNDARIES = 0 TRIAD_MB_BOUNDARY_ROWS(TRIAD_MB_ONE_MORE) };
#undef TRIAD_MB_KIND
#undef TRIAD_MB_ONE_MORE

#endif
