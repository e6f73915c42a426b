/* The positivity limiter. With the flux G of Lax and Friedrichs of first order, both halves of
 *   U_a - r F and U_b + r F,   r = 2 (number of axes) dt/h,
 * whose mean over a cell's faces is the cell after an Euler step, keep rho and p positive if F = G and r (|u| + c)
 * <= 1. F is taken as near to the flux of high order as keeps them above a small part of their present values; the
 * pressure is concave in U, so that a linear estimate is on the safe side. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_LIMIT_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_LIMIT_POINTS_H

#include "solvers/compressible/points/flux_points.h"

#define TRIAD_COMPRESSIBLE_SMALL TRIAD_R(1e-6) /* of the present density or pressure must be left */

TRIAD_POINT_INLINE triad_real triad_compressible_pressure(const triad_compressible_gas *g, triad_compressible_five u)
{
  return g->gm1 * (u.e - TRIAD_R(0.5) * (u.n * u.n + u.s * u.s + u.t * u.t) / u.r);
}

/* u + r f */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_moved(triad_compressible_five u, triad_real r,
                                                                    triad_compressible_five f)
{
  triad_compressible_five v = {u.r + r * f.r, u.n + r * f.n, u.s + r * f.s, u.t + r * f.t, u.e + r * f.e};
  return v;
}

/* The part of the high order, 0 to 1, at which a value that is `good` at 0 and `now` at 1 stays above a small part of
 * `present`. */
TRIAD_POINT_INLINE triad_real triad_compressible_part(triad_real good, triad_real now, triad_real present)
{
  triad_real least = TRIAD_COMPRESSIBLE_SMALL * present, p = (good - least) / (good - now);
  p = p > 0 ? p : 0;
  return now < least ? (p < 1 ? p : 1) : 1;
}

TRIAD_POINT_INLINE triad_real triad_compressible_smaller(triad_real a, triad_real b) { return a < b ? a : b; }

/* 1 if triad_compressible_limited leaves f as it is, 0 if it may not. With s = 1/r or less both U_a - f/s and U_b + f/s
 * keep twice the small part, and U does: r lies between, and the set of such states is convex. Times s and density, so
 * that nothing is divided; NaN gives 0. per_ratio: 1/ratio. */
TRIAD_POINT_INLINE int triad_compressible_passes(const triad_compressible_gas *gas, triad_real per_ratio,
                                                 triad_compressible_cell x, triad_compressible_cell y,
                                                 triad_compressible_five ux, triad_compressible_five uy,
                                                 triad_compressible_five f)
{
  const triad_real half = TRIAD_R(0.5), small = 2 * TRIAD_COMPRESSIBLE_SMALL;
  const triad_real flow = triad_max(TRIAD_ABS(x.n), TRIAD_ABS(y.n));
  const triad_real s = triad_max(per_ratio, flow + triad_gas_quick_root(triad_compressible_smaller(x.T, y.T)));
  const triad_real least_x = small * s * ux.r, least_y = small * s * uy.r, per = gas->per_gamma * gas->per_gm1;
  const triad_compressible_five a = {s * ux.r - f.r, s * ux.n - f.n, s * ux.s - f.s, s * ux.t - f.t, s * ux.e - f.e};
  const triad_compressible_five b = {s * uy.r + f.r, s * uy.n + f.n, s * uy.s + f.s, s * uy.t + f.t, s * uy.e + f.e};
  const triad_real pa = a.r * a.e - half * (a.n * a.n + a.s * a.s + a.t * a.t);
  const triad_real pb = b.r * b.e - half * (b.n * b.n + b.s * b.s + b.t * b.t);
  return (a.r > least_x) & (b.r > least_y) & (pa > least_x * x.T * per * a.r) & (pb > least_y * y.T * per * b.r);
}

/* f between the cells x and y, of states ux, uy and point fluxes fx, fy, brought towards G: by the worse of both
 * densities, then of both pressures. */
TRIAD_POINT_INLINE triad_compressible_five
triad_compressible_limited(const triad_compressible_gas *gas, triad_real r, triad_compressible_cell x,
                           triad_compressible_cell y, triad_compressible_five ux, triad_compressible_five uy,
                           triad_compressible_five fx, triad_compressible_five fy, triad_compressible_five f)
{
  triad_real fast = triad_max(TRIAD_ABS(x.n) + TRIAD_SQRT(x.T), TRIAD_ABS(y.n) + TRIAD_SQRT(y.T));
  r = triad_compressible_smaller(r, 1 / fast);
  triad_compressible_five g =
    triad_compressible_moved(triad_compressible_moved(triad_compressible_moved(fx, 1, fy), -fast, uy), fast, ux);
  g = triad_compressible_moved(g, -TRIAD_R(0.5), g); /* half of it */
  triad_compressible_five low_x = triad_compressible_moved(ux, -r, g), low_y = triad_compressible_moved(uy, r, g);
  triad_real keep = triad_compressible_smaller(triad_compressible_part(low_x.r, ux.r - r * f.r, ux.r),
                                               triad_compressible_part(low_y.r, uy.r + r * f.r, uy.r));
  const triad_compressible_five given = f;
  const triad_real keep_density = keep;
  f = triad_compressible_moved(g, keep, triad_compressible_moved(f, -1, g));
  triad_real now_x = triad_compressible_pressure(gas, triad_compressible_moved(ux, -r, f)),
             now_y = triad_compressible_pressure(gas, triad_compressible_moved(uy, r, f));
  keep = triad_compressible_smaller(
    triad_compressible_part(triad_compressible_pressure(gas, low_x), now_x, x.rho * x.T * gas->per_gamma),
    triad_compressible_part(triad_compressible_pressure(gas, low_y), now_y, y.rho * y.T * gas->per_gamma));
  f = triad_compressible_moved(g, keep, triad_compressible_moved(f, -1, g));
  return keep < 1 || keep_density < 1 ? f : given;
}

#endif
