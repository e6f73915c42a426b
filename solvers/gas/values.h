/* The ideal gas as arrays of five numbers, per volume: primitive values q are density, velocity x, y, z, pressure;
 * conserved ones u are density, momentum, total energy. n is the unit normal of a face, out of its left cell; fluxes
 * are per area along n. */
#ifndef TRIAD_SOLVERS_GAS_VALUES_H
#define TRIAD_SOLVERS_GAS_VALUES_H

#include "base/point.h"

/* Short loops over numbers are written out, or what calls them is not turned into vector instructions. */
#ifdef __CUDACC__
#define TRIAD_GAS_UNROLL _Pragma("unroll")
#else
#define TRIAD_GAS_UNROLL _Pragma("GCC unroll 16")
#endif

typedef struct triad_gas_constants {
  triad_real gamma, gm1, per_gm1; /* gamma, gamma - 1 and one over it */
} triad_gas_constants;

TRIAD_POINT triad_gas_constants triad_gas_constants_of(double gamma)
{
  triad_gas_constants g = {(triad_real)gamma, (triad_real)(gamma - 1), (triad_real)(1 / (gamma - 1))};
  return g;
}

TRIAD_POINT triad_real triad_gas_dot3(const triad_real a[3], const triad_real b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v.n; n NULL, here and in the fluxes of two states: the first axis, known when it is compiled. */
TRIAD_POINT_INLINE triad_real triad_gas_normal_part(const triad_real v[3], const triad_real *n)
{
  return n ? triad_gas_dot3(v, n) : v[0];
}

/* x + p n[i] */
TRIAD_POINT_INLINE triad_real triad_gas_pushed(triad_real x, triad_real p, const triad_real *n, int i)
{
  if (n) return x + p * n[i];
  return i == 0 ? x + p : x;
}

TRIAD_POINT_INLINE void triad_gas_values_primitive(const triad_gas_constants *g, const triad_real u[5], triad_real q[5])
{
  const triad_real volume = 1 / u[0];
  q[0] = u[0];
  TRIAD_GAS_UNROLL
  for (int i = 1; i < 4; i++) q[i] = u[i] * volume;
  q[4] = g->gm1 * (u[4] - TRIAD_R(0.5) * triad_gas_dot3(u + 1, q + 1));
}

TRIAD_POINT_INLINE void triad_gas_values_conserved(const triad_gas_constants *g, const triad_real q[5], triad_real u[5])
{
  u[0] = q[0];
  TRIAD_GAS_UNROLL
  for (int i = 1; i < 4; i++) u[i] = q[0] * q[i];
  u[4] = q[4] * g->per_gm1 + TRIAD_R(0.5) * triad_gas_dot3(u + 1, q + 1);
}

TRIAD_POINT triad_real triad_gas_values_sound(const triad_gas_constants *g, const triad_real q[5])
{
  return TRIAD_SQRT(g->gamma * q[4] / q[0]);
}

/* Is it a gas: positive density and pressure, all finite? */
TRIAD_POINT int triad_gas_is_gas(const triad_real q[5])
{
#ifdef TRIAD_SINGLE
  const triad_real most = 1e30f;
#else
  const triad_real most = 1e250;
#endif
  return q[0] > 0 && q[4] > 0 && q[0] < most && q[4] < most &&
         TRIAD_ABS(q[1]) + TRIAD_ABS(q[2]) + TRIAD_ABS(q[3]) < most;
}

/* |u.n| + c */
TRIAD_POINT triad_real triad_gas_values_speed(const triad_gas_constants *g, const triad_real q[5],
                                              const triad_real n[3])
{
  return TRIAD_ABS(triad_gas_dot3(q + 1, n)) + triad_gas_values_sound(g, q);
}

TRIAD_POINT_INLINE void triad_gas_values_flux(const triad_gas_constants *g, const triad_real q[5], const triad_real *n,
                                              triad_real f[5])
{
  const triad_real through = triad_gas_normal_part(q + 1, n), mass = q[0] * through;
  f[0] = mass;
  TRIAD_GAS_UNROLL
  for (int i = 0; i < 3; i++) f[1 + i] = triad_gas_pushed(mass * q[1 + i], q[4], n, i);
  f[4] = mass * TRIAD_R(0.5) * triad_gas_dot3(q + 1, q + 1) + through * q[4] * (1 + g->per_gm1);
}

#endif
