/* The ideal gas at a point: its state, and the flux of that state through an area.
 *
 * A face has the area vector s = S n, S its area, n its unit normal from the left state to the right one. */
#ifndef TRIAD_SOLVERS_GAS_STATE_H
#define TRIAD_SOLVERS_GAS_STATE_H

#include "base/point.h"

/* Density, velocity, pressure. */
typedef struct triad_gas_state {
  triad_real rho, u, v, w, p;
} triad_gas_state;

/* A vector: an area, or a normal. Loops over lanes become vector instructions with this, and not with arrays. */
typedef struct triad_gas_vector {
  triad_real x, y, z;
} triad_gas_vector;

/* Mass, momentum, total energy: of a unit of volume, or as a flux through a face. */
typedef struct triad_gas_flux {
  triad_real mass, x, y, z, energy;
} triad_gas_flux;

/* 1/x, the root and one over it. On a GPU from the hardware's first guess, which has 20 bits and gets three times as
 * many: to a unit or two of rounding, and for numbers that are neither tiny nor huge. */
TRIAD_POINT_INLINE triad_real triad_gas_per(triad_real x)
{
#if defined(__CUDA_ARCH__) && !defined(TRIAD_SINGLE)
  double guess, off;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  off = fma(-x, guess, 1.0);
  return fma(guess, fma(off, off, off), guess);
#else
  return 1 / x;
#endif
}

TRIAD_POINT_INLINE triad_real triad_gas_per_root(triad_real x)
{
#if defined(__CUDA_ARCH__) && !defined(TRIAD_SINGLE)
  double guess, off;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  off = fma(-x * guess, guess, 1.0);
  return fma(guess * off, fma(0.375, off, 0.5), guess);
#else
  return 1 / TRIAD_SQRT(x);
#endif
}

TRIAD_POINT_INLINE triad_real triad_gas_root(triad_real x)
{
#if defined(__CUDA_ARCH__) && !defined(TRIAD_SINGLE)
  return x * triad_gas_per_root(x);
#else
  return TRIAD_SQRT(x);
#endif
}

/* The same, of numbers whose size is known: on a GPU in single precision too by the hardware's guess alone, which has
 * all bits but one or two, without the branch for tiny or huge numbers. */
TRIAD_POINT_INLINE triad_real triad_gas_quick_per(triad_real x)
{
#if defined(__CUDA_ARCH__) && defined(TRIAD_SINGLE)
  float guess;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
  return guess;
#else
  return triad_gas_per(x);
#endif
}

TRIAD_POINT_INLINE triad_real triad_gas_quick_per_root(triad_real x)
{
#if defined(__CUDA_ARCH__) && defined(TRIAD_SINGLE)
  float guess;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
  return guess;
#else
  return triad_gas_per_root(x);
#endif
}

TRIAD_POINT_INLINE triad_real triad_gas_quick_root(triad_real x)
{
#if defined(__CUDA_ARCH__) && defined(TRIAD_SINGLE)
  return x * triad_gas_quick_per_root(x);
#else
  return triad_gas_root(x);
#endif
}

/* ---- states ---- */

TRIAD_POINT_INLINE triad_gas_flux triad_gas_conserved(triad_gas_state q, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  return (triad_gas_flux){q.rho, q.rho * q.u, q.rho * q.v, q.rho * q.w,
                          q.p / (gamma - 1) + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w)};
}

TRIAD_POINT_INLINE triad_gas_state triad_gas_primitive(triad_gas_flux c, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real per = triad_gas_per(c.mass), u = c.x * per, v = c.y * per, w = c.z * per;
  return (triad_gas_state){c.mass, u, v, w, (gamma - 1) * (c.energy - half * (c.x * u + c.y * v + c.z * w))};
}

TRIAD_POINT_INLINE triad_real triad_gas_sound(triad_gas_state q, triad_real gamma)
{
  return triad_gas_root(gamma * q.p * triad_gas_per(q.rho));
}

TRIAD_POINT_INLINE triad_real triad_gas_area(const triad_real s[3])
{
  return TRIAD_SQRT(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

TRIAD_POINT_INLINE triad_gas_vector triad_gas_vector_of(const triad_real s[3])
{
  return (triad_gas_vector){s[0], s[1], s[2]};
}

TRIAD_POINT_INLINE triad_real triad_gas_dot(triad_gas_vector a, triad_gas_vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

TRIAD_POINT_INLINE triad_gas_vector triad_gas_velocity(triad_gas_state q) { return (triad_gas_vector){q.u, q.v, q.w}; }

/* Of the state itself through area vector s. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_through(triad_gas_state q, triad_gas_vector s, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real through = q.u * s.x + q.v * s.y + q.w * s.z, mass = q.rho * through;
  triad_real enthalpy = gamma / (gamma - 1) * q.p + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w);
  return (triad_gas_flux){mass, mass * q.u + q.p * s.x, mass * q.v + q.p * s.y, mass * q.w + q.p * s.z,
                          enthalpy * through};
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_flux_of(triad_gas_state q, const triad_real s[3], triad_real gamma)
{
  return triad_gas_through(q, triad_gas_vector_of(s), gamma);
}

/* S^2, and next to nothing more, so that a face that is a line has one over it too. */
TRIAD_POINT_INLINE triad_real triad_gas_area_square(triad_gas_vector s)
{
  return triad_gas_dot(s, s) + (sizeof(triad_real) == 8 ? TRIAD_R(1e-60) : TRIAD_R(1e-36));
}

/* An area and the unit normal; where a face is a line, no normal. */
typedef struct triad_gas_facing {
  triad_real area;
  triad_gas_vector n;
} triad_gas_facing;

TRIAD_POINT_INLINE triad_gas_facing triad_gas_facing_of(triad_gas_vector s)
{
  triad_real square = triad_gas_area_square(s), per = triad_gas_per_root(square);
  return (triad_gas_facing){square * per, {s.x * per, s.y * per, s.z * per}};
}

#endif
