/* States at boundary faces, from the state inside and the values prescribed outside. n: unit normal out of the flow. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_BOUNDARY_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_BOUNDARY_POINTS_H

#include "solvers/multiblock/points/multiblock_points.h"

/* What is given at a face, as loops want it: of a patch, but for what an exact solution says of each face. */
typedef struct triad_multiblock_side {
  triad_multiblock_boundary kind;
  triad_gas_state given;   /* the stream; EXACT: at the face      */
  triad_gas_state beyond;  /* EXACT: in the middle of the halo    */
  triad_real pressure, rt; /* rt: R times the temperature; 0: a wall is adiabatic */
  triad_real along[3], velocity[3];
} triad_multiblock_side;

TRIAD_POINT_INLINE triad_real triad_multiblock_across(triad_gas_state q, const triad_real n[3])
{
  return q.u * n[0] + q.v * n[1] + q.w * n[2];
}

/* Straight on from the two cells next to a face; density and pressure fall by half at most. */
TRIAD_POINT triad_gas_state triad_multiblock_extrapolated(triad_gas_state near, triad_gas_state next)
{
  const triad_real half = TRIAD_R(0.5);
  return (triad_gas_state){triad_max(near.rho + half * (near.rho - next.rho), half * near.rho),
                           near.u + half * (near.u - next.u), near.v + half * (near.v - next.v),
                           near.w + half * (near.w - next.w),
                           triad_max(near.p + half * (near.p - next.p), half * near.p)};
}

/* The same velocity, but `across` through the face. */
TRIAD_POINT triad_gas_state triad_multiblock_with_normal(triad_gas_state q, const triad_real n[3], triad_real across)
{
  triad_real change = across - triad_multiblock_across(q, n);
  return (triad_gas_state){q.rho, q.u + change * n[0], q.v + change * n[1], q.w + change * n[2], q.p};
}

/* As behind a mirror. */
TRIAD_POINT triad_gas_state triad_multiblock_mirrored(triad_gas_state q, const triad_real n[3])
{
  return triad_multiblock_with_normal(q, n, -triad_multiblock_across(q, n));
}

/* Characteristic: u_n +- 2c/(gamma - 1) from where each comes, entropy and what goes along the face from upwind:
 * with p/rho^gamma kept, density goes as c^(2/(gamma - 1)). */
TRIAD_POINT triad_gas_state triad_multiblock_far(triad_gas_state in, triad_gas_state out, const triad_real n[3],
                                                 triad_real gamma)
{
  triad_real ni = triad_multiblock_across(in, n), no = triad_multiblock_across(out, n), ci = triad_gas_sound(in, gamma);
  triad_real co = triad_gas_sound(out, gamma), g = 2 / (gamma - 1), half = TRIAD_R(0.5);
  if (ni >= ci) return in;   /* all leaves */
  if (no <= -co) return out; /* all enters */
  triad_real plus = ni + g * ci, minus = no - g * co, un = half * (plus + minus), c = (plus - minus) / (2 * g);
  triad_gas_state up = triad_multiblock_with_normal(un > 0 ? in : out, n, un);
  up.rho *= TRIAD_POW(c * c * up.rho / (gamma * up.p), half * g);
  up.p = up.rho * c * c / gamma;
  return up;
}

/* Subsonic outflow of pressure p: density of the same entropy, u_n + 2c/(gamma - 1) kept. Supersonic: what comes. */
TRIAD_POINT triad_gas_state triad_multiblock_outflow(triad_gas_state in, triad_real p, const triad_real n[3],
                                                     triad_real gamma)
{
  triad_real un = triad_multiblock_across(in, n), ci = triad_gas_sound(in, gamma), one = 1, g = 2 / (gamma - 1);
  if (un >= ci) return in;
  triad_real rho = in.rho * TRIAD_POW(p / in.p, one / gamma), c = TRIAD_SQRT(gamma * p / rho);
  triad_gas_state q = triad_multiblock_with_normal(in, n, un + g * (ci - c));
  q.rho = rho;
  q.p = p;
  return q;
}

/* Subsonic inflow of given velocity and density: the pressure from u_n + 2c/(gamma - 1) of the flow inside. */
TRIAD_POINT triad_gas_state triad_multiblock_inflow(triad_gas_state in, triad_gas_state given, const triad_real n[3],
                                                    triad_real gamma)
{
  triad_real half = TRIAD_R(0.5), out = triad_multiblock_across(in, n) + 2 / (gamma - 1) * triad_gas_sound(in, gamma);
  triad_real c = half * (gamma - 1) * (out - triad_multiblock_across(given, n));
  given.p = given.rho * c * c / gamma;
  return given;
}

/* Inflow from a vessel of total pressure p0 and temperature rt0 = R T0 along the unit vector d: the speed q that keeps
 * u_n + 2c/(gamma - 1) of the flow inside, with c^2 = gamma rt0 - (gamma - 1)/2 q^2. */
TRIAD_POINT triad_gas_state triad_multiblock_vessel(triad_gas_state in, triad_real p0, triad_real rt0,
                                                    const triad_real d[3], const triad_real n[3], triad_real gamma)
{
  triad_real half = TRIAD_R(0.5), one = 1, zero = 0, g = 2 / (gamma - 1);
  triad_real dn = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
  triad_real plus = triad_multiblock_across(in, n) + g * triad_gas_sound(in, gamma);
  /* (dn^2 + g) q^2 - 2 dn plus q + plus^2 - g^2 gamma rt0 = 0, with g (gamma - 1)/2 = 1 */
  triad_real a = dn * dn + g, b = dn * plus, c = plus * plus - g * g * gamma * rt0;
  triad_real speed = triad_max((b + TRIAD_SQRT(triad_max(b * b - a * c, zero))) / a, zero);
  triad_real rt = triad_max(rt0 - half * (gamma - 1) / gamma * speed * speed, TRIAD_R(0.1) * rt0);
  triad_real p = p0 * TRIAD_POW(rt / rt0, gamma / (gamma - one));
  return (triad_gas_state){p / rt, speed * d[0], speed * d[1], speed * d[2], p};
}

/* Twice one less the other; density and pressure stay above a tenth of the other's. */
TRIAD_POINT triad_gas_state triad_multiblock_reflected(triad_gas_state at, triad_gas_state from)
{
  const triad_real least = TRIAD_R(0.1);
  return (triad_gas_state){triad_max(2 * at.rho - from.rho, least * from.rho), 2 * at.u - from.u, 2 * at.v - from.v,
                           2 * at.w - from.w, triad_max(2 * at.p - from.p, least * from.p)};
}

/* Area vector and unit normal out of the flow, of the lower face of a cell or the upper one of the cell before it. */
TRIAD_POINT void triad_multiblock_outwards(const triad_real area[3], int upper, triad_real s[3], triad_real n[3])
{
  for (int a = 0; a < 3; a++) s[a] = upper ? area[a] : -area[a];
  triad_real size = triad_gas_area(s), per = size > 0 ? 1 / size : 0;
  for (int a = 0; a < 3; a++) n[a] = s[a] * per;
}

/* A state of a number that is no kind of boundary: NaN, which ends the run. */
TRIAD_POINT triad_gas_state triad_multiblock_no_state(void)
{
  const triad_real none = TRIAD_R(NAN);
  return (triad_gas_state){none, none, none, none, none};
}

/* The state at a face: of the flow inside, whose cell next to it is near, and next behind that or near again where
 * cells have no slopes, and of what is given. */
TRIAD_POINT triad_gas_state triad_multiblock_state_at(const triad_multiblock_side *p, triad_gas_state near,
                                                      triad_gas_state next, const triad_real n[3], triad_real gamma)
{
  const triad_real zero = 0;
  triad_gas_state in = triad_multiblock_extrapolated(near, next);
  switch (p->kind) {
  case TRIAD_MULTIBLOCK_FARFIELD: return triad_multiblock_far(in, p->given, n, gamma);
  case TRIAD_MULTIBLOCK_SUPERSONIC_IN: return p->given;
  case TRIAD_MULTIBLOCK_SUBSONIC_IN: return triad_multiblock_inflow(in, p->given, n, gamma);
  case TRIAD_MULTIBLOCK_SUBSONIC_OUT: return triad_multiblock_outflow(in, p->pressure, n, gamma);
  case TRIAD_MULTIBLOCK_TOTAL: return triad_multiblock_vessel(in, p->pressure, p->rt, p->along, n, gamma);
  case TRIAD_MULTIBLOCK_WALL:
    in = near;
    in.u = p->velocity[0];
    in.v = p->velocity[1];
    in.w = p->velocity[2];
    if (p->rt > 0) in.rho = in.p / p->rt;
    return in;
  case TRIAD_MULTIBLOCK_SLIP:
  case TRIAD_MULTIBLOCK_SYMMETRY: return triad_multiblock_with_normal(in, n, zero);
  case TRIAD_MULTIBLOCK_SUPERSONIC_OUT:
  case TRIAD_MULTIBLOCK_EXACT:
  case TRIAD_MULTIBLOCK_UNNAMED: return in;
  }
  return triad_multiblock_no_state();
}

/* The state of the halo beyond a face; inner: the cell behind the one next to it. */
TRIAD_POINT triad_gas_state triad_multiblock_halo_of(const triad_multiblock_side *p, triad_gas_state near,
                                                     triad_gas_state inner, triad_gas_state at, const triad_real n[3])
{
  triad_gas_state q;
  triad_real rt = near.p / near.rho;
  switch (p->kind) {
  case TRIAD_MULTIBLOCK_EXACT: return p->beyond;
  case TRIAD_MULTIBLOCK_SYMMETRY: return triad_multiblock_mirrored(near, n);
  case TRIAD_MULTIBLOCK_WALL:
    q = triad_multiblock_reflected(at, near);
    q.p = near.p;
    if (p->rt > 0) rt = triad_max(2 * at.p / at.rho - rt, TRIAD_R(0.1) * rt);
    q.rho = q.p / rt;
    return q;
  case TRIAD_MULTIBLOCK_SLIP:
  case TRIAD_MULTIBLOCK_FARFIELD:
  case TRIAD_MULTIBLOCK_SUPERSONIC_IN:
  case TRIAD_MULTIBLOCK_SUPERSONIC_OUT:
  case TRIAD_MULTIBLOCK_SUBSONIC_IN:
  case TRIAD_MULTIBLOCK_SUBSONIC_OUT:
  case TRIAD_MULTIBLOCK_TOTAL:
  case TRIAD_MULTIBLOCK_UNNAMED: return triad_multiblock_reflected(near, inner);
  }
  return triad_multiblock_no_state();
}

/* Out of the flow through a face with the area vector s; at: the state there. */
TRIAD_POINT triad_gas_flux triad_multiblock_boundary_flux(const triad_multiblock_side *p, triad_gas_riemann riemann,
                                                          triad_gas_state near, triad_gas_state next,
                                                          triad_gas_state at, const triad_real s[3], triad_real gamma)
{
  const triad_real zero = 0, none = TRIAD_R(NAN);
  switch (p->kind) {
  case TRIAD_MULTIBLOCK_EXACT:
    return triad_gas_face(riemann, triad_multiblock_extrapolated(near, next), p->given, s, gamma);
  case TRIAD_MULTIBLOCK_SLIP:
  case TRIAD_MULTIBLOCK_SYMMETRY:
  case TRIAD_MULTIBLOCK_WALL: return (triad_gas_flux){zero, at.p * s[0], at.p * s[1], at.p * s[2], zero};
  case TRIAD_MULTIBLOCK_UNNAMED: return (triad_gas_flux){zero, zero, zero, zero, zero}; /* collapsed */
  case TRIAD_MULTIBLOCK_FARFIELD:
  case TRIAD_MULTIBLOCK_SUPERSONIC_IN:
  case TRIAD_MULTIBLOCK_SUPERSONIC_OUT:
  case TRIAD_MULTIBLOCK_SUBSONIC_IN:
  case TRIAD_MULTIBLOCK_SUBSONIC_OUT:
  case TRIAD_MULTIBLOCK_TOTAL: return triad_gas_flux_of(at, s, gamma);
  }
  return (triad_gas_flux){none, none, none, none, none};
}

/* Does a face conduct no heat? Gradients at faces that are skew to their cells have a part along the face, which would
 * conduct some. */
TRIAD_POINT_INLINE int triad_multiblock_insulates(const triad_multiblock_side *p)
{
  return p->kind == TRIAD_MULTIBLOCK_SLIP || p->kind == TRIAD_MULTIBLOCK_SYMMETRY ||
         (p->kind == TRIAD_MULTIBLOCK_WALL && !(p->rt > 0));
}

/* The energy through such a face, along its axis: what its velocity works against friction, which is what diffusion has
 * changed the flux of momentum by. Nothing rubs on a face that the flow slips along. with, without: fluxes along x, y
 * and z with what diffuses, and without. */
TRIAD_POINT_INLINE triad_real triad_multiblock_insulated(const triad_multiblock_side *p, const triad_real with[3],
                                                         const triad_real without[3])
{
  const triad_real zero = 0;
  if (p->kind != TRIAD_MULTIBLOCK_WALL) return zero;
  return p->velocity[0] * (with[0] - without[0]) + p->velocity[1] * (with[1] - without[1]) +
         p->velocity[2] * (with[2] - without[2]);
}

#endif
