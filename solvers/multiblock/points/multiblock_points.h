/* The arithmetic of one cell and one face of compressible flow on curvilinear blocks: states, slopes with their
 * limiters, fluxes (docs/methods/multiblock.md). Prefix mb: multi-block.
 *
 * A face has the area vector s = S n, S its area, n its unit normal from the left state to the right one. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_MULTIBLOCK_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_MULTIBLOCK_POINTS_H

#include "base/point.h"
#include "solvers/multiblock/points/kinds.h"

enum { TRIAD_MULTIBLOCK_FIELDS = 5 };

/* Density, velocity, pressure. */
typedef struct triad_multiblock_state {
  triad_real rho, u, v, w, p;
} triad_multiblock_state;

/* A vector: an area, or a normal. Loops over lanes become vector instructions with this, and not with arrays. */
typedef struct triad_multiblock_vector {
  triad_real x, y, z;
} triad_multiblock_vector;

/* Mass, momentum, total energy: of a unit of volume, or as a flux through a face. */
typedef struct triad_multiblock_flux {
  triad_real mass, x, y, z, energy;
} triad_multiblock_flux;

TRIAD_POINT_INLINE triad_real triad_multiblock_most(triad_real a, triad_real b) { return a > b ? a : b; }
TRIAD_POINT_INLINE triad_real triad_multiblock_least(triad_real a, triad_real b) { return a < b ? a : b; }

/* 1/x, the root and one over it. On a GPU from the hardware's first guess, which has 20 bits and gets three times as
 * many: to a unit or two of rounding, and for numbers that are neither tiny nor huge. */
TRIAD_POINT_INLINE triad_real triad_multiblock_per(triad_real x)
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

TRIAD_POINT_INLINE triad_real triad_multiblock_per_root(triad_real x)
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

TRIAD_POINT_INLINE triad_real triad_multiblock_root(triad_real x)
{
#if defined(__CUDA_ARCH__) && !defined(TRIAD_SINGLE)
  return x * triad_multiblock_per_root(x);
#else
  return TRIAD_SQRT(x);
#endif
}

/* ---- states ---- */

TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_conserved(triad_multiblock_state q, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  return (triad_multiblock_flux){q.rho, q.rho * q.u, q.rho * q.v, q.rho * q.w,
                                 q.p / (gamma - 1) + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w)};
}

TRIAD_POINT_INLINE triad_multiblock_state triad_multiblock_primitive(triad_multiblock_flux c, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real per = triad_multiblock_per(c.mass), u = c.x * per, v = c.y * per, w = c.z * per;
  return (triad_multiblock_state){c.mass, u, v, w, (gamma - 1) * (c.energy - half * (c.x * u + c.y * v + c.z * w))};
}

TRIAD_POINT_INLINE triad_real triad_multiblock_sound(triad_multiblock_state q, triad_real gamma)
{
  return triad_multiblock_root(gamma * q.p * triad_multiblock_per(q.rho));
}

TRIAD_POINT_INLINE triad_real triad_multiblock_area(const triad_real s[3])
{
  return TRIAD_SQRT(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

TRIAD_POINT_INLINE triad_multiblock_vector triad_multiblock_vector_of(const triad_real s[3])
{
  return (triad_multiblock_vector){s[0], s[1], s[2]};
}

TRIAD_POINT_INLINE triad_real triad_multiblock_dot(triad_multiblock_vector a, triad_multiblock_vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

TRIAD_POINT_INLINE triad_multiblock_vector triad_multiblock_velocity(triad_multiblock_state q)
{
  return (triad_multiblock_vector){q.u, q.v, q.w};
}

/* Of the state itself through area vector s. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_through(triad_multiblock_state q, triad_multiblock_vector s,
                                                                  triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real through = q.u * s.x + q.v * s.y + q.w * s.z, mass = q.rho * through;
  triad_real enthalpy = gamma / (gamma - 1) * q.p + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w);
  return (triad_multiblock_flux){mass, mass * q.u + q.p * s.x, mass * q.v + q.p * s.y, mass * q.w + q.p * s.z,
                                 enthalpy * through};
}

TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_flux_of(triad_multiblock_state q, const triad_real s[3],
                                                                  triad_real gamma)
{
  return triad_multiblock_through(q, triad_multiblock_vector_of(s), gamma);
}

/* S^2, and next to nothing more, so that a face that is a line has one over it too. */
TRIAD_POINT_INLINE triad_real triad_multiblock_area_square(triad_multiblock_vector s)
{
  return triad_multiblock_dot(s, s) + (sizeof(triad_real) == 8 ? TRIAD_R(1e-60) : TRIAD_R(1e-36));
}

/* An area and the unit normal; where a face is a line, no normal. */
typedef struct triad_multiblock_facing {
  triad_real area;
  triad_multiblock_vector n;
} triad_multiblock_facing;

TRIAD_POINT_INLINE triad_multiblock_facing triad_multiblock_facing_of(triad_multiblock_vector s)
{
  triad_real square = triad_multiblock_area_square(s), per = triad_multiblock_per_root(square);
  return (triad_multiblock_facing){square * per, {s.x * per, s.y * per, s.z * per}};
}

/* (|u.s| + c S) of a cell, s its mean area vector across an axis: the rate at which waves carry volume. */
TRIAD_POINT_INLINE triad_real triad_multiblock_waves(triad_multiblock_state q, triad_multiblock_vector s,
                                                     triad_real gamma)
{
  return TRIAD_ABS(q.u * s.x + q.v * s.y + q.w * s.z) +
         triad_multiblock_sound(q, gamma) * triad_multiblock_root(triad_multiblock_area_square(s));
}

TRIAD_POINT_INLINE triad_real triad_multiblock_wave_rate(triad_multiblock_state q, const triad_real s[3],
                                                         triad_real gamma)
{
  return triad_multiblock_waves(q, triad_multiblock_vector_of(s), gamma);
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
  case TRIAD_MULTIBLOCK_LIMIT_MINMOD:
    return (triad_multiblock_ratio){ab > 0 ? sign * triad_multiblock_least(x, y) : zero, one};
  case TRIAD_MULTIBLOCK_LIMIT_SUPERBEE:
    return (triad_multiblock_ratio){
      ab > 0 ? sign * triad_multiblock_most(triad_multiblock_least(two * x, y), triad_multiblock_least(x, two * y))
             : zero,
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
  return triad_multiblock_divides(limiter) ? slope.top * triad_multiblock_per(slope.under) : slope.top;
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

/* ---- fluxes ---- */

/* |l| with Harten's rounding below 2 e c, l^2/(4 e c) + e c: written so that all lanes of a vector do the same. */
TRIAD_POINT_INLINE triad_real triad_multiblock_rounded(triad_real l, triad_real c, triad_real per_c)
{
  const triad_real width = TRIAD_R(0.2) * c, per = TRIAD_R(2.5) * per_c, half = TRIAD_R(0.5);
  triad_real size = TRIAD_ABS(l), less = width - size, below = half * (less + TRIAD_ABS(less));
  return size + below * below * per;
}

/* Roe 1981. Speeds are those times the face's area S: u_n S = u . s, c S; so that a normal is not wanted, and two
 * roots and two quotients do: the mean density with both p/rho and the mean's weight, and c S with 1/(c S), of which
 * 1/c^2 and 1/S^2 follow. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_roe(triad_multiblock_state l, triad_multiblock_state r,
                                                              triad_multiblock_vector s, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), one = 1, tiny = TRIAD_R(1e-30), g = gamma * triad_multiblock_per(gamma - 1);
  const triad_real square = triad_multiblock_area_square(s);
  triad_real both = l.rho * r.rho, rho = triad_multiblock_root(both), sum = rho + r.rho,
             per = triad_multiblock_per(both * sum);
  triad_real per_rho = sum * per, a = both * rho * per, b = one - a;
  triad_real pl = per_rho * r.rho * l.p, pr = per_rho * l.rho * r.p; /* p/rho of each */
  triad_real hl = g * pl + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * pr + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  triad_real u = a * l.u + b * r.u, v = a * l.v + b * r.v, w = a * l.w + b * r.w;
  triad_real h = a * hl + b * hr, speed = half * (u * u + v * v + w * w);
  triad_real c2 = TRIAD_ABS((gamma - 1) * (h - speed)) + tiny, cs2 = c2 * square,
             per_cs = triad_multiblock_per_root(cs2), cs = cs2 * per_cs;
  triad_real per_cs2 = per_cs * per_cs, per_c2 = per_cs2 * square, per_square = per_cs2 * c2;
  triad_real nl = l.u * s.x + l.v * s.y + l.w * s.z, nr = r.u * s.x + r.v * s.y + r.w * s.z, ns = a * nl + b * nr;
  triad_real du = r.u - l.u, dv = r.v - l.v, dw = r.w - l.w, dp = r.p - l.p, dn = (nr - nl) * per_square;
  triad_real mid = triad_multiblock_rounded(ns, cs, per_cs), jump = rho * cs * dn, fall = half * per_c2;
  triad_real minus = triad_multiblock_rounded(ns - cs, cs, per_cs) * fall * (dp - jump);
  triad_real plus = triad_multiblock_rounded(ns + cs, cs, per_cs) * fall * (dp + jump);
  triad_real entropy = mid * (r.rho - l.rho - dp * per_c2), shear = mid * rho, waves = minus + plus;
  triad_real all = waves + entropy, along = (plus - minus) * cs * per_square - shear * dn; /* along: over S */
  triad_real ml = l.rho * nl, mr = r.rho * nr, p = l.p + r.p - along;
  triad_real energy = waves * h + along * ns + entropy * speed + shear * (u * du + v * dv + w * dw);
  return (triad_multiblock_flux){
    half * (ml + mr - all), half * (ml * l.u + mr * r.u + p * s.x - (all * u + shear * du)),
    half * (ml * l.v + mr * r.v + p * s.y - (all * v + shear * dv)),
    half * (ml * l.w + mr * r.w + p * s.z - (all * w + shear * dw)), half * (ml * hl + mr * hr - energy)};
}

/* The half of a split flux that goes along the normal (sign 1) or against it (-1). */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_van_leer_half(triad_multiblock_state q,
                                                                        triad_multiblock_vector n, triad_real gamma,
                                                                        triad_real sign)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  triad_real c = triad_multiblock_sound(q, gamma), un = q.u * n.x + q.v * n.y + q.w * n.z,
             mach = un * triad_multiblock_per(c);
  triad_real q2 = q.u * q.u + q.v * q.v + q.w * q.w, m = sign * (mach + sign), f = sign * quarter * q.rho * c * m * m;
  triad_real push = (2 * sign * c - un) / gamma, drive = (gamma - 1) * un + 2 * sign * c;
  triad_multiblock_flux split = {f, f * (q.u + push * n.x), f * (q.v + push * n.y), f * (q.w + push * n.z),
                                 f * (drive * drive / (2 * (gamma * gamma - 1)) + half * (q2 - un * un))};
  triad_multiblock_flux whole = triad_multiblock_through(q, n, gamma);
  const int all = sign * mach >= 1, none = sign * mach <= -1;
  const triad_real zero = 0;
  return (triad_multiblock_flux){all    ? whole.mass
                                 : none ? zero
                                        : split.mass,
                                 all    ? whole.x
                                 : none ? zero
                                        : split.x,
                                 all    ? whole.y
                                 : none ? zero
                                        : split.y,
                                 all    ? whole.z
                                 : none ? zero
                                        : split.z,
                                 all    ? whole.energy
                                 : none ? zero
                                        : split.energy};
}

TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_steger_half(triad_multiblock_state q,
                                                                      triad_multiblock_vector n, triad_real gamma,
                                                                      triad_real sign)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real c = triad_multiblock_sound(q, gamma), un = q.u * n.x + q.v * n.y + q.w * n.z;
  triad_real l1 = half * (un + sign * TRIAD_ABS(un)), l4 = half * (un + c + sign * TRIAD_ABS(un + c));
  triad_real l5 = half * (un - c + sign * TRIAD_ABS(un - c)), f = half * q.rho / gamma, g = gamma - 1;
  triad_real all = 2 * g * l1 + l4 + l5, sound = c * (l4 - l5), q2 = q.u * q.u + q.v * q.v + q.w * q.w;
  /* (u + c n)^2 = q2 + 2 u_n c + c^2 */
  triad_real energy = g * l1 * q2 + half * l4 * (q2 + 2 * un * c + c * c) + half * l5 * (q2 - 2 * un * c + c * c) +
                      (3 - gamma) * (l4 + l5) * c * c / (2 * g);
  return (triad_multiblock_flux){f * all, f * (all * q.u + sound * n.x), f * (all * q.v + sound * n.y),
                                 f * (all * q.w + sound * n.z), f * energy};
}

/* Sum of both halves of a split flux, times the face's area. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_add_halves(triad_real area, triad_multiblock_flux a,
                                                                     triad_multiblock_flux b)
{
  return (triad_multiblock_flux){area * (a.mass + b.mass), area * (a.x + b.x), area * (a.y + b.y), area * (a.z + b.z),
                                 area * (a.energy + b.energy)};
}

/* Flux vector splitting by van Leer 1982. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_van_leer(triad_multiblock_state l, triad_multiblock_state r,
                                                                   triad_multiblock_vector s, triad_real gamma)
{
  const triad_multiblock_facing face = triad_multiblock_facing_of(s);
  const triad_multiblock_flux a = triad_multiblock_van_leer_half(l, face.n, gamma, 1),
                              b = triad_multiblock_van_leer_half(r, face.n, gamma, -1);
  return triad_multiblock_add_halves(face.area, a, b);
}

/* Flux vector splitting by Steger and Warming 1981. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_steger_warming(triad_multiblock_state l,
                                                                         triad_multiblock_state r,
                                                                         triad_multiblock_vector s, triad_real gamma)
{
  const triad_multiblock_facing face = triad_multiblock_facing_of(s);
  const triad_multiblock_flux a = triad_multiblock_steger_half(l, face.n, gamma, 1),
                              b = triad_multiblock_steger_half(r, face.n, gamma, -1);
  return triad_multiblock_add_halves(face.area, a, b);
}

/* AUSM+ (Liou 1996, J. Comput. Phys. 129, 364), alpha = 3/16, beta = 1/8, its speed of sound at the face the mean. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_ausm(triad_multiblock_state l, triad_multiblock_state r,
                                                               triad_multiblock_vector s, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25), eighth = TRIAD_R(0.125), alpha = TRIAD_R(0.1875),
                   one = 1;
  const triad_multiblock_facing face = triad_multiblock_facing_of(s);
  triad_real g = gamma * triad_multiblock_per(gamma - 1),
             c = half * (triad_multiblock_sound(l, gamma) + triad_multiblock_sound(r, gamma)),
             per_c = triad_multiblock_per(c);
  triad_real ml = triad_multiblock_dot(triad_multiblock_velocity(l), face.n) * per_c,
             mr = triad_multiblock_dot(triad_multiblock_velocity(r), face.n) * per_c;
  triad_real l2 = ml * ml - 1, r2 = mr * mr - 1, lp = ml + 1, rm = mr - 1;
  triad_real to = TRIAD_ABS(ml) >= 1 ? half * (ml + TRIAD_ABS(ml)) : quarter * lp * lp + eighth * l2 * l2;
  triad_real from = TRIAD_ABS(mr) >= 1 ? half * (mr - TRIAD_ABS(mr)) : -quarter * rm * rm - eighth * r2 * r2;
  triad_real pl = ml >= 1 ? one : ml <= -1 ? 0 : quarter * lp * lp * (2 - ml) + alpha * ml * l2 * l2;
  triad_real pr = mr <= -1 ? one : mr >= 1 ? 0 : quarter * rm * rm * (2 + mr) - alpha * mr * r2 * r2;
  triad_real mach = to + from, p = pl * l.p + pr * r.p, speed = c * mach * face.area;
  triad_real a = half * (speed + TRIAD_ABS(speed)) * l.rho, b = half * (speed - TRIAD_ABS(speed)) * r.rho;
  triad_real hl = g * l.p * triad_multiblock_per(l.rho) + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * r.p * triad_multiblock_per(r.rho) + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  return (triad_multiblock_flux){a + b, a * l.u + b * r.u + p * s.x, a * l.v + b * r.v + p * s.y,
                                 a * l.w + b * r.w + p * s.z, a * hl + b * hr};
}

/* Flux through a face between two states, by the function of this kind's row. A number that is no kind gives NaN, which
 * ends the run. */
TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_between(triad_multiblock_riemann kind,
                                                                  triad_multiblock_state l, triad_multiblock_state r,
                                                                  triad_multiblock_vector s, triad_real gamma)
{
  const triad_real none = TRIAD_R(NAN);
  switch (kind) {
#define TRIAD_MULTIBLOCK_CASE(kind, word, about, flux) \
  case kind: return flux(l, r, s, gamma);
    TRIAD_MULTIBLOCK_FLUXES(TRIAD_MULTIBLOCK_CASE)
#undef TRIAD_MULTIBLOCK_CASE
  }
  return (triad_multiblock_flux){none, none, none, none, none};
}

TRIAD_POINT_INLINE triad_multiblock_flux triad_multiblock_face(triad_multiblock_riemann kind, triad_multiblock_state l,
                                                               triad_multiblock_state r, const triad_real s[3],
                                                               triad_real gamma)
{
  return triad_multiblock_between(kind, l, r, triad_multiblock_vector_of(s), gamma);
}

/* ---- geometry ---- */

/* The area vector of a quadrilateral (geometry.h) from four nodes in a field's precision, which is enough if that is
 * double. */
TRIAD_POINT_INLINE triad_multiblock_vector triad_multiblock_quad_of(triad_multiblock_vector a,
                                                                    triad_multiblock_vector b,
                                                                    triad_multiblock_vector c,
                                                                    triad_multiblock_vector d)
{
  const triad_real half = TRIAD_R(0.5), ex = half * (c.x - a.x), ey = half * (c.y - a.y), ez = half * (c.z - a.z);
  const triad_real fx = d.x - b.x, fy = d.y - b.y, fz = d.z - b.z;
  return (triad_multiblock_vector){ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx};
}

TRIAD_POINT_INLINE triad_multiblock_vector triad_multiblock_vector_at(const triad_real *const v[3], int64_t at)
{
  return (triad_multiblock_vector){v[0][at], v[1][at], v[2][at]};
}

/* Area vector of the lower face of the cell at a place across an axis, from nodes, each at the place of the cell
 * whose lower corner it is; next, after: places to the next cell along the two axes that follow this one in turn. */
TRIAD_POINT_INLINE triad_multiblock_vector triad_multiblock_area_between(const triad_real *const node[3], int64_t at,
                                                                         int64_t next, int64_t after)
{
  return triad_multiblock_quad_of(triad_multiblock_vector_at(node, at), triad_multiblock_vector_at(node, at + next),
                                  triad_multiblock_vector_at(node, at + next + after),
                                  triad_multiblock_vector_at(node, at + after));
}

#endif
