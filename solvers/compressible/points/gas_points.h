/* The ideal gas at a point: primitive values, temperature, viscosity. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_GAS_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_GAS_POINTS_H

#include "base/point.h"
#include "solvers/compressible/case/setup.h"

/* Numbers of the gas and the scheme as kernels take them. */
typedef struct triad_compressible_gas {
  triad_real gamma, gm1, per_gamma, per_gm1;   /* gamma, gamma - 1, and one over each                */
  triad_real viscosity, heat;                  /* factors of the stress and of mu grad T             */
  triad_real power, sutherland, per_reference; /* one over the temperature at which mu = 1           */
  triad_real delta;                            /* the least of Harten's deltas                       */
  int law;                                     /* triad_compressible_law                                     */
  int published;                               /* delta alone, and epsilon in the user's units       */
} triad_compressible_gas;

/* u, v, w, T = gamma p/rho = c^2 (docs/methods/compressible.md eq. 27) */
typedef struct triad_compressible_primitive {
  triad_real u, v, w, T;
} triad_compressible_primitive;

TRIAD_POINT_INLINE triad_compressible_primitive triad_compressible_primitives(const triad_compressible_gas *g,
                                                                              triad_real rho, triad_real mx,
                                                                              triad_real my, triad_real mz,
                                                                              triad_real e)
{
  triad_real volume = 1 / rho, u = mx * volume, v = my * volume, w = mz * volume;
  triad_real p = g->gm1 * (e - TRIAD_R(0.5) * (mx * u + my * v + mz * w));
  triad_compressible_primitive q = {u, v, w, g->gamma * p * volume};
  return q;
}

/* Are density and temperature positive, and all values finite and far from the largest number? */
TRIAD_POINT_INLINE int triad_compressible_is_gas(triad_real rho, triad_compressible_primitive q)
{
#ifdef TRIAD_SINGLE
  const triad_real most = 1e30f;
#else
  const triad_real most = 1e250;
#endif
  return rho > 0 && q.T > 0 && rho < most && q.T < most && TRIAD_ABS(q.u) + TRIAD_ABS(q.v) + TRIAD_ABS(q.w) < most;
}

/* max over axes of (|u_i| + c)/dx_i, from 1/dx_i; 0 for an axis of one point. */
TRIAD_POINT_INLINE triad_real triad_compressible_fastest(triad_compressible_primitive q, triad_real per_x,
                                                         triad_real per_y, triad_real per_z)
{
  triad_real c = TRIAD_SQRT(q.T), x = per_x * (TRIAD_ABS(q.u) + c), y = per_y * (TRIAD_ABS(q.v) + c),
             z = per_z * (TRIAD_ABS(q.w) + c);
  x = x > y ? x : y;
  return x > z ? x : z;
}

/* What limits a step at a point, from 1/dx_i as above: (|u_i| + c)/dx_i of the fastest axis; the rate of a sound
 * wave that the flow carries, sum_i |u_i|/dx_i + c (sum_i 1/dx_i^2)^(1/2); and sum_i (|u_i| + c)/dx_i, by which
 * upwind differences of all axes damp the shortest waves. */
typedef struct triad_compressible_pace {
  triad_real axis, wave, sum;
} triad_compressible_pace;

TRIAD_POINT_INLINE triad_compressible_pace triad_compressible_pace_of(triad_compressible_primitive q, triad_real per_x,
                                                                      triad_real per_y, triad_real per_z,
                                                                      triad_real per_all)
{
  triad_real c = TRIAD_SQRT(q.T), flow = per_x * TRIAD_ABS(q.u) + per_y * TRIAD_ABS(q.v) + per_z * TRIAD_ABS(q.w);
  triad_compressible_pace p = {triad_compressible_fastest(q, per_x, per_y, per_z), flow + c * per_all,
                               flow + c * (per_x + per_y + per_z)};
  return p;
}

/* mu(T) in units of that at the reference temperature (docs/methods/compressible.md eq. 28). */
TRIAD_POINT_INLINE triad_real triad_compressible_viscosity(const triad_compressible_gas *g, triad_real temperature)
{
  triad_real T = temperature * g->per_reference;
  if (g->law == TRIAD_COMPRESSIBLE_POWER) return TRIAD_POW(T, g->power);
  if (g->law == TRIAD_COMPRESSIBLE_SUTHERLAND) return T * TRIAD_SQRT(T) * (1 + g->sutherland) / (T + g->sutherland);
  return 1;
}

#endif
