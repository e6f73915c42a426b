/* States at boundary faces: what the flow inside and what is given outside make of each other. n: unit normal out of the
 * flow. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_BOUNDARY_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_BOUNDARY_POINTS_H

#include "solvers/multiblock/multiblock_points.h"

TRIAD_POINT_INLINE triad_real triad_mb_across(triad_mb_state q, const triad_real n[3])
{
  return q.u * n[0] + q.v * n[1] + q.w * n[2];
}

/* Straight on from the two cells next to a face; density and pressure fall by half at most. */
TRIAD_POINT triad_mb_state triad_mb_extrapolated(triad_mb_state near, triad_mb_state next)
{
  const triad_real half = TRIAD_R(0.5);
  return (triad_mb_state){triad_mb_most(near.rho + half * (near.rho - next.rho), half * near.rho),
                          near.u + half * (near.u - next.u), near.v + half * (near.v - next.v),
                          near.w + half * (near.w - next.w),
                          triad_mb_most(near.p + half * (near.p - next.p), half * near.p)};
}

/* The same velocity, but `across` through the face. */
TRIAD_POINT triad_mb_state triad_mb_with_normal(triad_mb_state q, const triad_real n[3], triad_real across)
{
  triad_real change = across - triad_mb_across(q, n);
  return (triad_mb_state){q.rho, q.u + change * n[0], q.v + change * n[1], q.w + change * n[2], q.p};
}

/* As behind a mirror. */
TRIAD_POINT triad_mb_state triad_mb_mirrored(triad_mb_state q, const triad_real n[3])
{
  return triad_mb_with_normal(q, n, -triad_mb_across(q, n));
}

/* Characteristic: u_n +- 2c/(gamma - 1) from where each comes, entropy and what goes along the face from upwind. */
TRIAD_POINT triad_mb_state triad_mb_far(triad_mb_state in, triad_mb_state out, const triad_real n[3], triad_real gamma)
{
  triad_real ni = triad_mb_across(in, n), no = triad_mb_across(out, n), ci = triad_mb_sound(in, gamma);
  triad_real co = triad_mb_sound(out, gamma), g = 2 / (gamma - 1), half = TRIAD_R(0.5);
  if (ni >= ci) return in;   /* all leaves */
  if (no <= -co) return out; /* all enters */
  triad_real plus = ni + g * ci, minus = no - g * co, un = half * (plus + minus), c = (plus - minus) / (2 * g);
  triad_mb_state up = triad_mb_with_normal(un > 0 ? in : out, n, un);
  triad_real entropy = up.p / TRIAD_POW(up.rho, gamma);
  up.rho = TRIAD_POW(c * c / (gamma * entropy), half * g);
  up.p = up.rho * c * c / gamma;
  return up;
}

/* Subsonic outflow of pressure p: density of the same entropy, u_n + 2c/(gamma - 1) kept. Supersonic: what comes. */
TRIAD_POINT triad_mb_state triad_mb_outflow(triad_mb_state in, triad_real p, const triad_real n[3], triad_real gamma)
{
  triad_real un = triad_mb_across(in, n), ci = triad_mb_sound(in, gamma), one = 1, g = 2 / (gamma - 1);
  if (un >= ci) return in;
  triad_real rho = in.rho * TRIAD_POW(p / in.p, one / gamma), c = TRIAD_SQRT(gamma * p / rho);
  triad_mb_state q = triad_mb_with_normal(in, n, un + g * (ci - c));
  q.rho = rho;
  q.p = p;
  return q;
}

/* Subsonic inflow of given velocity and density: the pressure from u_n + 2c/(gamma - 1) of the flow inside. */
TRIAD_POINT triad_mb_state triad_mb_inflow(triad_mb_state in, triad_mb_state given, const triad_real n[3], triad_real gamma)
{
  triad_real half = TRIAD_R(0.5), out = triad_mb_across(in, n) + 2 / (gamma - 1) * triad_mb_sound(in, gamma);
  triad_real c = half * (gamma - 1) * (out - triad_mb_across(given, n));
  given.p = given.rho * c * c / gamma;
  return given;
}

/* Inflow from a vessel of total pressure p0 and temperature rt0 = R T0 along the unit vector d: the speed q that keeps
 * u_n + 2c/(gamma - 1) of the flow inside, with c^2 = gamma rt0 - (gamma - 1)/2 q^2. */
TRIAD_POINT triad_mb_state triad_mb_vessel(triad_mb_state in, triad_real p0, triad_real rt0, const triad_real d[3],
                                           const triad_real n[3], triad_real gamma)
{
  triad_real half = TRIAD_R(0.5), one = 1, zero = 0, g = 2 / (gamma - 1);
  triad_real dn = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
  triad_real plus = triad_mb_across(in, n) + g * triad_mb_sound(in, gamma);
  /* (dn^2 + g) q^2 - 2 dn plus q + plus^2 - g^2 gamma rt0 = 0, with g (gamma - 1)/2 = 1 */
  triad_real a = dn * dn + g, b = dn * plus, c = plus * plus - g * g * gamma * rt0;
  triad_real speed = triad_mb_most((b + TRIAD_SQRT(triad_mb_most(b * b - a * c, zero))) / a, zero);
  triad_real rt = triad_mb_most(rt0 - half * (gamma - 1) / gamma * speed * speed, TRIAD_R(0.1) * rt0);
  triad_real p = p0 * TRIAD_POW(rt / rt0, gamma / (gamma - one));
  return (triad_mb_state){p / rt, speed * d[0], speed * d[1], speed * d[2], p};
}

#endif
