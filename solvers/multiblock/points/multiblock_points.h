/* The arithmetic of one cell and one face of compressible flow on curvilinear blocks: speeds of waves, slopes with
 * their limiters, area vectors (docs/methods/multiblock.md). The gas and its fluxes are in solvers/gas/.
 *
 * A face has the area vector s = S n, S its area, n its unit normal from the left state to the right one. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_MULTIBLOCK_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_MULTIBLOCK_POINTS_H

#include "base/point.h"
#include "solvers/gas/riemann.h"
#include "solvers/multiblock/points/kinds.h"

/* The state at a place of a rank's memory. */
TRIAD_POINT triad_gas_state triad_multiblock_at(triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], int64_t at)
{
  return (triad_gas_state){q[0][at], q[1][at], q[2][at], q[3][at], q[4][at]};
}

TRIAD_POINT void triad_multiblock_put(triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], int64_t at, triad_gas_state s)
{
  q[0][at] = s.rho;
  q[1][at] = s.u;
  q[2][at] = s.v;
  q[3][at] = s.w;
  q[4][at] = s.p;
}

/* (|u.s| + c S) of a cell, s its mean area vector across an axis: the rate at which waves carry volume. */
TRIAD_POINT_INLINE triad_real triad_multiblock_waves(triad_gas_state q, triad_gas_vector s, triad_real gamma)
{
  return TRIAD_ABS(q.u * s.x + q.v * s.y + q.w * s.z) +
         triad_gas_sound(q, gamma) * triad_gas_root(triad_gas_area_square(s));
}

TRIAD_POINT_INLINE triad_real triad_multiblock_wave_rate(triad_gas_state q, const triad_real s[3], triad_real gamma)
{
  return triad_multiblock_waves(q, triad_gas_vector_of(s), gamma);
}

/* ---- slopes ---- */

/* A slope as top over under; under is 1 where the limiter does not divide, and never below 1e-100 in double
 * precision. */
typedef struct triad_multiblock_ratio {
  triad_real top, under;
} triad_multiblock_ratio;

/* Limited slope of a cell whose differences to the neighbours below and above are a and b: psi(b/a) a = psi(a/b) b, for
 * every limiter here has psi(1/r) = psi(r)/r, so that kappa drops out. 0 where a and b differ in sign. */
TRIAD_POINT_INLINE triad_multiblock_ratio triad_multiblock_slope_ratio(triad_multiblock_limiter limiter, triad_real a,
                                                                       triad_real b)
{
  const triad_real tiny = sizeof(triad_real) == 8 ? TRIAD_R(1e-100) : TRIAD_R(1e-36), zero = 0, one = 1, two = 2,
                   half = TRIAD_R(0.5);
  triad_real ab = a * b, twice = ab + TRIAD_ABS(ab), x = TRIAD_ABS(a), y = TRIAD_ABS(b); /* twice: 2 ab, or 0 below 0 */
  triad_real sign = a + b < 0 ? TRIAD_R(-1) : TRIAD_R(1);
  switch (limiter) {
  case TRIAD_MULTIBLOCK_NO_LIMITER: return (triad_multiblock_ratio){half * (a + b), one};
  case TRIAD_MULTIBLOCK_LIMIT_VAN_ALBADA:
    return (triad_multiblock_ratio){half * twice * (a + b), a * a + (b * b + tiny)};
  case TRIAD_MULTIBLOCK_LIMIT_VAN_LEER: return (triad_multiblock_ratio){sign * twice, x + y + tiny};
  case TRIAD_MULTIBLOCK_LIMIT_OSPRE:
    return (triad_multiblock_ratio){TRIAD_R(0.75) * twice * (a + b), a * a + (a * b + (b * b + tiny))};
  case TRIAD_MULTIBLOCK_LIMIT_MINMOD: return (triad_multiblock_ratio){ab > 0 ? sign * triad_min(x, y) : zero, one};
  case TRIAD_MULTIBLOCK_LIMIT_SUPERBEE:
    return (triad_multiblock_ratio){ab > 0 ? sign * triad_max(triad_min(two * x, y), triad_min(x, two * y)) : zero,
                                    one};
  }
  return (triad_multiblock_ratio){TRIAD_R(NAN), one};
}

TRIAD_POINT_INLINE int triad_multiblock_divides(triad_multiblock_limiter limiter)
{
  return limiter == TRIAD_MULTIBLOCK_LIMIT_VAN_ALBADA || limiter == TRIAD_MULTIBLOCK_LIMIT_VAN_LEER ||
         limiter == TRIAD_MULTIBLOCK_LIMIT_OSPRE;
}

TRIAD_POINT_INLINE triad_real triad_multiblock_slope(triad_multiblock_limiter limiter, triad_real a, triad_real b)
{
  const triad_multiblock_ratio slope = triad_multiblock_slope_ratio(limiter, a, b);
  return triad_multiblock_divides(limiter) ? slope.top * triad_gas_per(slope.under) : slope.top;
}

/* The part that a limiter leaves of the mean of both differences: 1 where it does nothing. */
TRIAD_POINT_INLINE triad_real triad_multiblock_limited_part(triad_multiblock_limiter limiter, triad_real a,
                                                            triad_real b)
{
  const triad_real two = 2, zero = 0, one = 1;
  triad_real mean = (a + b) / two;
  if (!(mean > 0) && !(mean < 0)) return a > 0 || a < 0 ? zero : one; /* as much up as down; or no slope at all */
  return triad_multiblock_slope(limiter, a, b) / mean;
}

/* Does a limiter take away more than half of the slope of the pressure p, whose neighbours are `stride` away? Next
 * to no slope has any sign. */
TRIAD_POINT_INLINE int triad_multiblock_is_limited(triad_multiblock_limiter limiter, const triad_real *p,
                                                   int64_t stride)
{
  const triad_real few = TRIAD_R(1e-3) * p[0], a = p[0] - p[-stride], b = p[stride] - p[0];
  if (limiter == TRIAD_MULTIBLOCK_NO_LIMITER || (TRIAD_ABS(a) < few && TRIAD_ABS(b) < few)) return 0;
  return triad_multiblock_limited_part(limiter, a, b) < TRIAD_R(0.5);
}

/* What a cell's value becomes at its lower and upper face, with the neighbours' below and above. Without limiter kappa
 * counts: the parabola through three means with 1/3. order = 0: nothing. */
TRIAD_POINT_INLINE void triad_multiblock_reach(triad_multiblock_limiter limiter, triad_real kappa, triad_real order,
                                               triad_real below, triad_real here, triad_real above, triad_real *down,
                                               triad_real *up)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  const triad_real a = here - below, b = above - here;
  if (limiter == TRIAD_MULTIBLOCK_NO_LIMITER) {
    *down = here - order * quarter * ((1 + kappa) * a + (1 - kappa) * b);
    *up = here + order * quarter * ((1 - kappa) * a + (1 + kappa) * b);
  } else {
    const triad_real slope = triad_multiblock_slope(limiter, a, b), part = half * order;
    *down = triad_fma(-part, slope, here);
    *up = triad_fma(part, slope, here);
  }
}

/* The same with a frozen limiter: `part` of the mean of both differences is left. */
TRIAD_POINT_INLINE void triad_multiblock_reach_frozen(triad_real part, triad_real below, triad_real here,
                                                      triad_real above, triad_real *down, triad_real *up)
{
  const triad_real half_slope = TRIAD_R(0.25) * part * (above - below);
  *down = here - half_slope;
  *up = here + half_slope;
}

/* ---- geometry ---- */

/* The area vector of a quadrilateral (geometry.h) from four nodes in a field's precision, which is enough if that is
 * double. */
TRIAD_POINT_INLINE triad_gas_vector triad_multiblock_quad_of(triad_gas_vector a, triad_gas_vector b, triad_gas_vector c,
                                                             triad_gas_vector d)
{
  const triad_real half = TRIAD_R(0.5), ex = half * (c.x - a.x), ey = half * (c.y - a.y), ez = half * (c.z - a.z);
  const triad_real fx = d.x - b.x, fy = d.y - b.y, fz = d.z - b.z;
  return (triad_gas_vector){ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx};
}

TRIAD_POINT_INLINE triad_gas_vector triad_multiblock_vector_at(const triad_real *const v[3], int64_t at)
{
  return (triad_gas_vector){v[0][at], v[1][at], v[2][at]};
}

/* Area vector of the lower face of the cell at a place across an axis, from nodes, each at the place of the cell
 * whose lower corner it is; next, after: places to the next cell along the two axes that follow this one in turn. */
TRIAD_POINT_INLINE triad_gas_vector triad_multiblock_area_between(const triad_real *const node[3], int64_t at,
                                                                  int64_t next, int64_t after)
{
  return triad_multiblock_quad_of(triad_multiblock_vector_at(node, at), triad_multiblock_vector_at(node, at + next),
                                  triad_multiblock_vector_at(node, at + next + after),
                                  triad_multiblock_vector_at(node, at + after));
}

#endif
