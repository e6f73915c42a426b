/* Values at the two edges of a cell from five point values: the weighted parabolas of WENO and TENO.
 *
 * Written with the differences of the five values, so that a uniform field comes out exactly, and with both edges at
 * once, which share the smoothness of the three parabolas. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WEIGHTS_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WEIGHTS_POINTS_H

#include "base/point.h"
#include "solvers/compressible/case/setup.h"
#include "solvers/gas/state.h"

#define TRIAD_R(x) ((triad_real)(x))

/* Added to each smoothness, which is of values in the gas's own units (triad_compressible_units), so that answers do
 * not depend on the user's. The published scheme adds it in the user's units. TENO's only keeps 0/0 away. */
#define TRIAD_COMPRESSIBLE_EPSILON TRIAD_R(1e-6)
#define TRIAD_TENO_EPSILON TRIAD_R(1e-20)
#define TRIAD_TENO_CUT TRIAD_R(1e-5)

/* Smoothness is of the square of what is reconstructed, a flux of energy say, and weights are made of its powers.
 * Powers of two by which these come out the same to the last bit keep them within a number's range: fluxes may jump
 * by 1e17 in double, 1e12 in single. */
#define TRIAD_COMPRESSIBLE_SCALE_JS TRIAD_R(0x1p-20)
#define TRIAD_COMPRESSIBLE_SCALE_Z TRIAD_R(0x1p-332)
/* tau is taken as no more than this many times the least smoothness: other parabolas count for nothing long before. */
#define TRIAD_COMPRESSIBLE_MOST_Z TRIAD_R(1e9)
#define TRIAD_TENO_MOST TRIAD_R(1e18)

/* The shares of the parabolas in the linear scheme of order five, first the one that lies upwind. */
#define TRIAD_COMPRESSIBLE_C0 TRIAD_R(0.1)
#define TRIAD_COMPRESSIBLE_C1 TRIAD_R(0.6)
#define TRIAD_COMPRESSIBLE_C2 TRIAD_R(0.3)

/* A number for each parabola, from the lower one: its smoothness b, or how far it is trusted. */
typedef struct triad_compressible_trust {
  triad_real s0, s1, s2;
} triad_compressible_trust;

/* Smoothness of the three parabolas plus epsilon, from the differences d_k = q_{k+1} - q_k of five values (Jiang and
 * Shu 1996, J. Comput. Phys. 126, 202, eq. 3.2). */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_smoothness(triad_real epsilon, triad_real d1,
                                                                          triad_real d2, triad_real d3, triad_real d4)
{
  const triad_real big = TRIAD_R(13.0 / 12), half = TRIAD_R(0.5);
  triad_real x = d2 - d1, y = d3 - d2, z = d4 - d3, p = d2 + half * x, q = half * (d2 + d3), r = d3 - half * z;
  triad_compressible_trust b = {big * x * x + epsilon + p * p, big * y * y + epsilon + q * q,
                                big * z * z + epsilon + r * r};
  return b;
}

/* The smaller of two numbers; on a GPU in single precision one instruction, which takes NaN for no number. */
TRIAD_POINT_INLINE triad_real triad_compressible_less_of(triad_real a, triad_real b)
{
#if defined(__CUDA_ARCH__) && defined(TRIAD_SINGLE)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

TRIAD_POINT_INLINE triad_real triad_compressible_least_of(triad_real a, triad_real b, triad_real c)
{
  return triad_compressible_less_of(triad_compressible_less_of(a, b), c);
}

/* 1/b_k^2 up to a common factor, which the weights drop. In single precision the factor is kept near 1, since b^4 would
 * leave its range. */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_js(triad_compressible_trust b)
{
#ifdef TRIAD_SINGLE
  b.s0 *= TRIAD_COMPRESSIBLE_SCALE_JS;
  b.s1 *= TRIAD_COMPRESSIBLE_SCALE_JS;
  b.s2 *= TRIAD_COMPRESSIBLE_SCALE_JS;
#endif
  triad_real t0 = b.s1 * b.s2, t1 = b.s0 * b.s2, t2 = b.s0 * b.s1;
#ifdef TRIAD_SINGLE
  triad_real most = t0 > t1 ? t0 : t1, scale = triad_gas_quick_per(most > t2 ? most : t2);
  t0 *= scale;
  t1 *= scale;
  t2 *= scale;
#endif
  triad_compressible_trust s = {t0 * t0, t1 * t1, t2 * t2};
  return s;
}

/* 1 + (tau/b_k)^2, tau = |b_2 - b_0| (Borges et al. 2008, J. Comput. Phys. 227, 3191, eq. 28, with the power 2); in
 * double precision times the squares of all three b, which saves the divisions. */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_z(triad_compressible_trust b)
{
  triad_real tau = b.s2 - b.s0;
#ifdef TRIAD_SINGLE
  triad_real bound = TRIAD_COMPRESSIBLE_MOST_Z * triad_compressible_least_of(b.s0, b.s1, b.s2);
  tau = triad_compressible_less_of(TRIAD_ABS(tau), bound);
  triad_real r0 = tau * triad_gas_quick_per(b.s0), r1 = tau * triad_gas_quick_per(b.s1),
             r2 = tau * triad_gas_quick_per(b.s2);
  triad_compressible_trust s = {1 + r0 * r0, 1 + r1 * r1, 1 + r2 * r2};
#else
  triad_real both = b.s1 * b.s2, part = tau * b.s0, all = b.s0 * both, one = all * all;
  triad_real r0 = tau * both, r1 = part * b.s2, r2 = part * b.s1;
  triad_compressible_trust s = {triad_fma(r0, r0, one), triad_fma(r1, r1, one), triad_fma(r2, r2, one)};
#endif
  return s;
}

TRIAD_POINT_INLINE triad_real triad_compressible_sixth_power(triad_real x)
{
  triad_real cube = x * x * x;
  return cube * cube;
}

/* 1 or 0: is a parabola smooth enough? chi_k = g_k/(g_0 + g_1 + g_2) >= 1e-5, g_k = (1 + tau/b_k)^6 (Fu, Hu and Adams
 * 2016, J. Comput. Phys. 305, 333, eq. 18 to 24), with g_k taken relative to the largest so that no power overflows. */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_teno(triad_compressible_trust b)
{
  triad_real tau = TRIAD_ABS(b.s2 - b.s0);
#ifdef TRIAD_SINGLE
  triad_real bound = TRIAD_TENO_MOST * triad_compressible_least_of(b.s0, b.s1, b.s2);
  tau = tau < bound ? tau : bound;
#endif
  triad_real r0 = 1 + tau * triad_gas_quick_per(b.s0), r1 = 1 + tau * triad_gas_quick_per(b.s1),
             r2 = 1 + tau * triad_gas_quick_per(b.s2);
  triad_real most = r0 > r1 ? r0 : r1, scale = triad_gas_quick_per(most > r2 ? most : r2);
  r0 = triad_compressible_sixth_power(r0 * scale);
  r1 = triad_compressible_sixth_power(r1 * scale);
  r2 = triad_compressible_sixth_power(r2 * scale);
  triad_real cut = TRIAD_TENO_CUT * (r0 + r1 + r2);
  triad_compressible_trust s = {r0 < cut ? TRIAD_R(0) : TRIAD_R(1), r1 < cut ? TRIAD_R(0) : TRIAD_R(1),
                                r2 < cut ? TRIAD_R(0) : TRIAD_R(1)};
  return s;
}

/* Henrick's map of a weight w whose linear share is c: w (c + c^2 - 3 c w + w^2)/(c^2 + w (1 - 2 c)), which keeps c
 * and is flat there (Henrick, Aslam and Powers 2005, J. Comput. Phys. 207, 542, eq. 17). */
TRIAD_POINT_INLINE triad_real triad_compressible_map(triad_real w, triad_real c)
{
  return w * (c + c * c + w * (w - 3 * c)) * triad_gas_quick_per(c * c + w * (1 - 2 * c));
}

TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_of(int weights, triad_compressible_trust b)
{
  return weights == TRIAD_WENO_Z      ? triad_compressible_trust_z(b)
         : weights == TRIAD_WENO_TENO ? triad_compressible_trust_teno(b)
                                      : triad_compressible_trust_js(b);
}

TRIAD_POINT_INLINE triad_real triad_compressible_epsilon(int weights)
{
  return weights == TRIAD_WENO_TENO ? TRIAD_TENO_EPSILON : TRIAD_COMPRESSIBLE_EPSILON;
}

/* Six times the edge's value less q of the cell is over/under: sum_k w_k p_k/sum_k w_k with w_k = 10 c_k s_k, parabolas
 * p from the upwind one; near, mid and far are p_0, 6 p_1 and 3 p_2, since w_k = s_0, 6 s_1 and 3 s_2. No difference of
 * parabolas is taken: a jump is left out to the last bit. */
typedef struct triad_compressible_ratio {
  triad_real over, under;
} triad_compressible_ratio;

TRIAD_POINT_INLINE triad_compressible_ratio triad_compressible_blend(int weights, triad_real s0, triad_real s1,
                                                                     triad_real s2, triad_real near, triad_real mid,
                                                                     triad_real far)
{
  if (weights == TRIAD_WENO_M) {
    triad_real scale =
      triad_gas_quick_per(TRIAD_COMPRESSIBLE_C0 * s0 + TRIAD_COMPRESSIBLE_C1 * s1 + TRIAD_COMPRESSIBLE_C2 * s2);
    triad_real w0 = triad_compressible_map(TRIAD_COMPRESSIBLE_C0 * s0 * scale, TRIAD_COMPRESSIBLE_C0);
    triad_real w1 = triad_compressible_map(TRIAD_COMPRESSIBLE_C1 * s1 * scale, TRIAD_COMPRESSIBLE_C1);
    triad_real w2 = triad_compressible_map(TRIAD_COMPRESSIBLE_C2 * s2 * scale, TRIAD_COMPRESSIBLE_C2);
    return (triad_compressible_ratio){w0 * near + TRIAD_R(1.0 / 6) * w1 * mid + TRIAD_R(1.0 / 3) * w2 * far,
                                      w0 + w1 + w2};
  }
  const triad_real per = 1 / TRIAD_COMPRESSIBLE_C0;
  return (triad_compressible_ratio){
    triad_fma(s2, far, triad_fma(s1, mid, s0 * near)),
    triad_fma(per * TRIAD_COMPRESSIBLE_C2, s2, triad_fma(per * TRIAD_COMPRESSIBLE_C1, s1, s0))};
}

/* The same of the differences d_k of five values, from the upwind one; reversed and with other signs they give the
 * other edge. */
TRIAD_POINT_INLINE triad_compressible_ratio triad_compressible_blend_of(int weights, triad_real s0, triad_real s1,
                                                                        triad_real s2, triad_real d1, triad_real d2,
                                                                        triad_real d3, triad_real d4)
{
  const triad_real twelve = 12 * d3;
  return triad_compressible_blend(weights, s0, s1, s2, 5 * d2 - 2 * d1, 6 * d2 + twelve, twelve - 3 * d4);
}

/* Both edges of the cell of c: *above at i + 1/2 (upwind of it), *below at i - 1/2 (downwind), from a .. e at i - 2
 * .. i + 2. per: one over the unit of these values. `weights` is a triad_compressible_weights, known when this is
 * inlined. */
TRIAD_POINT_INLINE void triad_compressible_edges(int weights, triad_real per, triad_real a, triad_real b, triad_real c,
                                                 triad_real d, triad_real e, triad_real *below, triad_real *above)
{
  triad_real d1 = b - a, d2 = c - b, d3 = d - c, d4 = e - d;
  if (weights == TRIAD_COMPRESSIBLE_LINEAR) {
    const triad_real part = TRIAD_R(1.0 / 60);
    *above = c + part * (24 * d3 + 11 * d2 - 2 * d1 - 3 * d4);
    *below = c - part * (24 * d2 + 11 * d3 - 2 * d4 - 3 * d1);
    return;
  }
  triad_compressible_trust s =
    triad_compressible_trust_of(weights, triad_compressible_smoothness(triad_compressible_epsilon(weights), per * d1,
                                                                       per * d2, per * d3, per * d4));
  const triad_real sixth = TRIAD_R(1.0 / 6);
  triad_compressible_ratio up = triad_compressible_blend_of(weights, s.s0, s.s1, s.s2, d1, d2, d3, d4);
  triad_compressible_ratio down = triad_compressible_blend_of(weights, s.s2, s.s1, s.s0, d4, d3, d2, d1);
#if defined(TRIAD_SINGLE) || defined(__CUDA_ARCH__)
  *above = c + sixth * up.over * triad_gas_quick_per(up.under);
  *below = c - sixth * down.over * triad_gas_quick_per(down.under);
#else
  /* one division for two, of numbers that are scaled so that their product stays in range */
  const triad_real scale = weights == TRIAD_WENO_Z ? TRIAD_COMPRESSIBLE_SCALE_Z : TRIAD_R(1);
  triad_real u = scale * up.under, v = scale * down.under, both = sixth / (u * v);
  *above = c + scale * up.over * v * both;
  *below = c - scale * down.over * u * both;
#endif
}

/* The values on both sides of the face between c and d, from the six values a .. f about it: the two edges share
 * differences. With `sum` and `jump` of c and d themselves the value below is c + below/6 and that above d - above/6.
 * epsilon is in units of these values. */
typedef struct triad_compressible_sides {
  triad_real below, above, sum, jump;
} triad_compressible_sides;

TRIAD_POINT_INLINE triad_compressible_sides triad_compressible_sides_of(int weights, triad_real epsilon, triad_real a,
                                                                        triad_real b, triad_real c, triad_real d,
                                                                        triad_real e, triad_real f)
{
  const triad_real big = TRIAD_R(13.0 / 12), half = TRIAD_R(0.5);
  triad_real d0 = b - a, d1 = c - b, d2 = d - c, d3 = e - d, d4 = f - e, twelve = 12 * d2;
  triad_real x0 = d1 - d0, x1 = d2 - d1, x2 = d3 - d2, x3 = d4 - d3;
  const triad_real five = TRIAD_R(5), six = TRIAD_R(6), minus_three = TRIAD_R(-3);
  triad_real near = triad_fma(five, d1, -2 * d0), mid = triad_fma(six, d1, twelve),
             far = triad_fma(minus_three, d3, twelve);
  triad_real near_r = triad_fma(five, d3, -2 * d4), mid_r = triad_fma(six, d3, twelve),
             far_r = triad_fma(minus_three, d1, twelve);
  triad_compressible_sides s = {0, 0, c + d, d2};
  if (weights == TRIAD_COMPRESSIBLE_LINEAR) {
    s.below = TRIAD_COMPRESSIBLE_C0 * (near + mid + far);
    s.above = TRIAD_COMPRESSIBLE_C0 * (near_r + mid_r + far_r);
    return s;
  }
  triad_real k0 = big * x0 * x0 + epsilon, k1 = big * x1 * x1 + epsilon, k2 = big * x2 * x2 + epsilon,
             k3 = big * x3 * x3 + epsilon;
  triad_real p0 = d1 + half * x0, p1 = d1 + half * x1, p2 = d2 - half * x2;
  triad_real q0 = d2 + half * x1, q1 = d3 - half * x2, q2 = d3 - half * x3; /* mirror images of p2, p1, p0 */
  const triad_compressible_trust l =
    triad_compressible_trust_of(weights, (triad_compressible_trust){k0 + p0 * p0, k1 + p1 * p1, k2 + p2 * p2});
  const triad_compressible_trust r =
    triad_compressible_trust_of(weights, (triad_compressible_trust){k3 + q2 * q2, k2 + q1 * q1, k1 + q0 * q0});
  const triad_compressible_ratio up = triad_compressible_blend(weights, l.s0, l.s1, l.s2, near, mid, far);
  const triad_compressible_ratio down = triad_compressible_blend(weights, r.s0, r.s1, r.s2, near_r, mid_r, far_r);
  s.below = up.over * triad_gas_quick_per(up.under);
  s.above = down.over * triad_gas_quick_per(down.under);
  return s;
}

/* What fluxes want of them: the sum of both values, and six times their difference, above less below. */
TRIAD_POINT_INLINE triad_real triad_compressible_sum_of(triad_compressible_sides s)
{
  return s.sum + TRIAD_R(1.0 / 6) * (s.below - s.above);
}

TRIAD_POINT_INLINE triad_real triad_compressible_six_jumps(triad_compressible_sides s)
{
  return 6 * s.jump - (s.below + s.above);
}

#endif
