/* Flux-corrected transport of an ideal gas: arithmetic of one face and one cell (docs/methods/fct.md).
 *
 * Primitive values q are density, velocity x, y, z, pressure; conserved ones u are density, momentum, total energy, per
 * volume. n is the unit normal of a face, out of its left cell; fluxes are per area along n. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_TRANSPORT_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_TRANSPORT_POINTS_H

#include "solvers/gas/riemann.h"
#include "solvers/unstructured/points/kinds.h"

enum {
  TRIAD_UNSTRUCTURED_FIELDS = 5,
  TRIAD_UNSTRUCTURED_PASSED = TRIAD_UNSTRUCTURED_FIELDS + 3 /* and the moments of the momentum (outer_points.h) */
};

#define TRIAD_UNSTRUCTURED_UNROLL TRIAD_GAS_UNROLL

/* A wall that the gas slides along: HLLC's flux, and Rusanov's, with the mirror image. No mass and no energy. */
TRIAD_POINT_INLINE void triad_unstructured_wall(const triad_gas_constants *g, const triad_real q[5],
                                                const triad_real n[3], triad_real f[5])
{
  const triad_real through = triad_gas_dot3(q + 1, n);
  const triad_real p = q[4] + q[0] * through * (through + TRIAD_ABS(through) + triad_gas_values_sound(g, q));
  f[0] = f[4] = 0;
  for (int i = 0; i < 3; i++) f[1 + i] = p * n[i];
}

/* ---- reconstruction ---- */

/* Unit normal out of the left cell, area, and the vectors from both cells' centres to the face's. */
typedef struct triad_unstructured_face {
  triad_real n[3], area, from[2][3];
} triad_unstructured_face;

/* From a cell's centre to that on the other side of its face, of which it is on side 0 or 1; beyond an outer face to
 * its mirror image. */
TRIAD_POINT_INLINE void triad_unstructured_across(const triad_unstructured_face *face, int side, int outer,
                                                  triad_real d[3])
{
  const triad_real *own = face->from[side], *other = face->from[!side];
  const triad_real depth = 2 * triad_gas_dot3(own, face->n);
  for (int a = 0; a < 3; a++) d[a] = outer ? depth * face->n[a] : own[a] - other[a];
}

/* q and its gradient at distance d; the value in the cell itself where that is no gas. */
TRIAD_POINT_INLINE void triad_unstructured_reconstruct(const triad_real q[5], const triad_real gradient[5][3],
                                                       const triad_real d[3], triad_real out[5])
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = q[k] + triad_gas_dot3(gradient[k], d);
  const int gas = (out[0] > 0) & (out[4] > 0);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = gas ? out[k] : q[k];
}

/* ---- boundaries: the state beyond a face whose normal n points out of the domain ---- */

TRIAD_POINT int triad_unstructured_is_wall(triad_unstructured_kind kind)
{
  return kind == TRIAD_UNSTRUCTURED_SLIP || kind == TRIAD_UNSTRUCTURED_NOSLIP;
}

/* Does the thrust of a jet come from such a patch: walls, and what lets gas in from a vessel? */
TRIAD_POINT int triad_unstructured_pushes(triad_unstructured_kind kind)
{
  return triad_unstructured_is_wall(kind) || kind == TRIAD_UNSTRUCTURED_INFLOW || kind == TRIAD_UNSTRUCTURED_TOTAL;
}

/* given: the state of inflow and far field; as pressure the temperature of a wall without slip, 0: it is not heated;
 * pressure and, as density, p/T of a reservoir. */
typedef struct triad_unstructured_rule {
  triad_unstructured_kind kind;
  triad_real given[5];
} triad_unstructured_rule;

/* Entropy and tangential velocity of `from`, normal velocity and speed of sound as given. */
TRIAD_POINT_INLINE void triad_unstructured_of_waves(const triad_gas_constants *g, const triad_real from[5],
                                                    const triad_real n[3], triad_real through, triad_real sound,
                                                    triad_real out[5])
{
  const triad_real before = triad_gas_dot3(from + 1, n), c2 = g->gamma * from[4] / from[0];
  out[0] = from[0] * TRIAD_POW(sound * sound / c2, g->per_gm1);
  for (int i = 0; i < 3; i++) out[1 + i] = from[1 + i] + (through - before) * n[i];
  out[4] = out[0] * sound * sound / g->gamma;
}

/* Riemann's invariants u.n +- 2c/(gamma - 1): those of waves that leave from inside, the others from far away. */
TRIAD_POINT_INLINE void triad_unstructured_farfield(const triad_gas_constants *g, const triad_real far[5],
                                                    const triad_real q[5], const triad_real n[3], triad_real out[5])
{
  const triad_real two = 2 * g->per_gm1, inside = triad_gas_dot3(q + 1, n), outside = triad_gas_dot3(far + 1, n);
  const triad_real ci = triad_gas_values_sound(g, q), co = triad_gas_values_sound(g, far);
  const triad_real plus = inside >= -ci ? inside + two * ci : outside + two * co;
  const triad_real minus = inside <= ci ? outside - two * co : inside - two * ci;
  const triad_real through = TRIAD_R(0.5) * (plus + minus), sound = (plus - minus) / (2 * two);
  if (!(sound > 0)) { /* a vacuum would open between them */
    for (int k = 0; k < 5; k++) out[k] = q[k];
    return;
  }
  triad_unstructured_of_waves(g, through > 0 ? q : far, n, through, sound, out);
}

/* u.n + 2c/(gamma - 1) comes from inside; c^2 + (gamma - 1)/2 (u.n)^2 is the reservoir's; inflow between rest and the
 * speed of sound. */
TRIAD_POINT_INLINE void triad_unstructured_total(const triad_gas_constants *g, const triad_real reservoir[5],
                                                 const triad_real q[5], const triad_real n[3], triad_real out[5])
{
  const triad_real c0 = g->gamma * reservoir[4] / reservoir[0], two = 2 * g->per_gm1;
  const triad_real plus = triad_gas_dot3(q + 1, n) + two * triad_gas_values_sound(g, q), a = 1 + two;
  const triad_real root = plus * plus - a * (TRIAD_R(0.5) * g->gm1 * plus * plus - c0);
  const triad_real slowest = c0 / (1 + TRIAD_R(0.5) * g->gm1); /* c^2 at Mach number 1 */
  triad_real sound = (plus + TRIAD_SQRT(triad_max(root, 0))) / a, c2 = sound * sound;
  if (plus - two * sound > 0) c2 = c0;
  c2 = triad_max(triad_min(c2, c0), slowest);
  const triad_real through = -TRIAD_SQRT(triad_max(c0 - c2, 0) * two), ratio = c2 / c0;
  out[4] = reservoir[4] * TRIAD_POW(ratio, g->gamma * g->per_gm1);
  out[0] = g->gamma * out[4] / c2;
  for (int i = 0; i < 3; i++) out[1 + i] = through * n[i];
}

TRIAD_POINT_INLINE void triad_unstructured_beyond(const triad_gas_constants *g, const triad_unstructured_rule *rule,
                                                  const triad_real q[5], const triad_real n[3], triad_real out[5])
{
  const triad_real through = triad_gas_dot3(q + 1, n), c = triad_gas_values_sound(g, q);
  for (int k = 0; k < 5; k++) out[k] = rule->kind == TRIAD_UNSTRUCTURED_INFLOW ? rule->given[k] : q[k];
  if (rule->kind == TRIAD_UNSTRUCTURED_SLIP)
    for (int i = 0; i < 3; i++) out[1 + i] -= 2 * through * n[i];
  if (rule->kind == TRIAD_UNSTRUCTURED_NOSLIP) { /* at the wall, half-way, it is at rest, and as warm as that */
    const triad_real t = q[4] / q[0], beyond = 2 * rule->given[4] - t;
    for (int i = 0; i < 3; i++) out[1 + i] = -q[1 + i];
    if (rule->given[4] > 0) out[0] = q[4] / triad_max(beyond, TRIAD_R(0.1) * t);
  }
  if (rule->kind == TRIAD_UNSTRUCTURED_FARFIELD) triad_unstructured_farfield(g, rule->given, q, n, out);
  if (rule->kind == TRIAD_UNSTRUCTURED_TOTAL) triad_unstructured_total(g, rule->given, q, n, out);
  if (rule->kind == TRIAD_UNSTRUCTURED_PRESSURE && through < c) { /* what leaves keeps entropy and u.n + p/(rho c) */
    out[0] += (rule->given[4] - q[4]) / (c * c);
    out[0] = triad_max(out[0], TRIAD_R(0.1) * q[0]);
    for (int i = 0; i < 3; i++) out[1 + i] += n[i] * (q[4] - rule->given[4]) / (q[0] * c);
    out[4] = rule->given[4];
  }
}

/* ---- limiting ---- */

/* Bounds of the pressure change by a change d of the conserved values, for a gas with velocity v whose density stays
 * above rho: at most `first`, and at least first - second, where second is n times this face's share, for n faces. For
 * p(u + sum d) = p + sum first - (gamma - 1) |sum (d_m - v d_rho)|^2/(2 rho), and the square of a sum of n terms is at
 * most n times the sum of squares. */
TRIAD_POINT_INLINE void triad_unstructured_pressure_change(const triad_gas_constants *g, const triad_real v[3],
                                                           const triad_real d[5], triad_real n_per_rho,
                                                           triad_real *first, triad_real *second)
{
  const triad_real e[3] = {d[1] - v[0] * d[0], d[2] - v[1] * d[0], d[3] - v[2] * d[0]};
  *first = g->gm1 * (d[4] - triad_gas_dot3(v, d + 1) + TRIAD_R(0.5) * triad_gas_dot3(v, v) * d[0]);
  *second = TRIAD_R(0.5) * g->gm1 * n_per_rho * triad_gas_dot3(e, e);
}

/* Zalesak's R: the part of what would come, `sum` >= 0, that there is room for. */
TRIAD_POINT triad_real triad_unstructured_room(triad_real room, triad_real sum)
{
  const triad_real part = room > 0 ? (room < sum ? room / sum : TRIAD_R(1)) : TRIAD_R(0);
  return sum > 0 ? part : TRIAD_R(1);
}

/* The limits of a cell: factors R for rises and falls of density and pressure; and for pressure changes its velocity,
 * n/rho and dt/V. */
typedef struct triad_unstructured_limits {
  triad_real rise[2], fall[2]; /* of density, pressure */
  triad_real v[3], n_per_rho, scale;
  triad_real still; /* a change of the pressure that is but rounding */
} triad_unstructured_limits;

enum {
  TRIAD_UNSTRUCTURED_LIMIT_DENSITY = 1,
  TRIAD_UNSTRUCTURED_LIMIT_PRESSURE = 2,
  TRIAD_UNSTRUCTURED_LIMIT_COMPONENTS = 4
};

/* Changes below this fraction of a cell's density or pressure are treated as rounding and are not limited: in a
 * uniform field the sign of a rounding error must not decide the limiter factor. In single precision the resulting
 * changes are mostly 0, and a larger fraction would let real changes pass. */
#ifdef TRIAD_SINGLE
#define TRIAD_UNSTRUCTURED_ROUNDING TRIAD_R(1e-9)
#else
#define TRIAD_UNSTRUCTURED_ROUNDING TRIAD_R(1e-14)
#endif

/* The change of a cell by a flux: its density; its pressure, from triad_unstructured_pressure_change. */
typedef struct triad_unstructured_change {
  triad_real density, first, second;
} triad_unstructured_change;

/* The factors that a change depends on. */
typedef struct triad_unstructured_wants {
  int rise[2], fall[2]; /* of density, pressure */
} triad_unstructured_wants;

/* n_per_rho, still: triad_unstructured_limits's. */
TRIAD_POINT_INLINE triad_unstructured_wants triad_unstructured_wanted(triad_unstructured_change c, triad_real n_per_rho,
                                                                      triad_real still)
{
  const triad_real mass = c.density * n_per_rho, rounding = TRIAD_UNSTRUCTURED_ROUNDING;
  const triad_unstructured_wants w = {{mass > rounding, c.first > still},
                                      {mass < -rounding, c.first < c.second - still}};
  return w;
}

/* The part that there is room for. */
TRIAD_POINT_INLINE triad_real triad_unstructured_granted(triad_unstructured_wants w, const triad_real rise[2],
                                                         const triad_real fall[2], int limited)
{
  const triad_real density = w.rise[0] ? rise[0] : w.fall[0] ? fall[0] : TRIAD_R(1);
  const triad_real part = limited & TRIAD_UNSTRUCTURED_LIMIT_DENSITY ? density : TRIAD_R(1);
  const triad_real up = w.rise[1] ? rise[1] : TRIAD_R(1), down = w.fall[1] ? fall[1] : TRIAD_R(1);
  return limited & TRIAD_UNSTRUCTURED_LIMIT_PRESSURE ? triad_min(part, triad_min(up, down)) : part;
}

/* The part of an antidiffusive flux that a cell can take: a, times the face's area, comes into it. */
TRIAD_POINT_INLINE triad_real triad_unstructured_part(const triad_gas_constants *g, const triad_unstructured_limits *c,
                                                      const triad_real a[5], int limited)
{
  triad_real d[5];
  triad_unstructured_change change;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) d[k] = c->scale * a[k];
  change.density = d[0];
  triad_unstructured_pressure_change(g, c->v, d, c->n_per_rho, &change.first, &change.second);
  return triad_unstructured_granted(triad_unstructured_wanted(change, c->n_per_rho, c->still), c->rise, c->fall,
                                    limited);
}

#endif
