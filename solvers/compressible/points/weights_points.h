/* Values at the two edges of a cell from five point values: the weighted parabolas of WENO and TENO.
 *
 * Written with the differences of the five values, so that a uniform field comes out exactly, and with both edges at
 * once, which share the smoothness of the three parabolas. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WEIGHTS_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_WEIGHTS_POINTS_H

#include "base/point.h"
#include "solvers/compressible/case/setup.h"

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

/* Smoothness of the three parabolas from the differences d_k = q_{k+1} - q_k of five values (Jiang and Shu 1996, J.
 * Comput. Phys. 126, 202, eq. 3.2). */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_smoothness(triad_real d1, triad_real d2, triad_real d3,
                                                                          triad_real d4)
{
  const triad_real big = TRIAD_R(13.0 / 12), quarter = TRIAD_R(0.25);
  triad_real x = d2 - d1, y = d3 - d2, z = d4 - d3, p = x + 2 * d2, q = d2 + d3, r = 2 * d3 - z;
  triad_compressible_trust b = {big * x * x + quarter * p * p, big * y * y + quarter * q * q,
                                big * z * z + quarter * r * r};
  return b;
}

TRIAD_POINT_INLINE triad_real triad_compressible_least_of(triad_real a, triad_real b, triad_real c)
{
  triad_real least = a < b ? a : b;
  return least < c ? least : c;
}

/* 1/b_k^2 up to a common factor, which the weights drop. In single precision the factor is kept near 1, since b^4 would
 * leave its range. */
TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_js(triad_compressible_trust b)
{
  triad_real b0 = b.s0 + TRIAD_COMPRESSIBLE_EPSILON, b1 = b.s1 + TRIAD_COMPRESSIBLE_EPSILON,
             b2 = b.s2 + TRIAD_COMPRESSIBLE_EPSILON;
#ifdef TRIAD_SINGLE
  b0 *= TRIAD_COMPRESSIBLE_SCALE_JS;
  b1 *= TRIAD_COMPRESSIBLE_SCALE_JS;
  b2 *= TRIAD_COMPRESSIBLE_SCALE_JS;
#endif
  triad_real t0 = b1 * b2, t1 = b0 * b2, t2 = b0 * b1;
#ifdef TRIAD_SINGLE
  triad_real most = t0 > t1 ? t0 : t1, scale = 1 / (most > t2 ? most : t2);
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
  triad_real tau = b.s2 - b.s0, b0 = b.s0 + TRIAD_COMPRESSIBLE_EPSILON, b1 = b.s1 + TRIAD_COMPRESSIBLE_EPSILON,
             b2 = b.s2 + TRIAD_COMPRESSIBLE_EPSILON;
#ifdef TRIAD_SINGLE
  triad_real bound = TRIAD_COMPRESSIBLE_MOST_Z * triad_compressible_least_of(b0, b1, b2);
  tau = tau < 0 ? -tau : tau;
  tau = tau < bound ? tau : bound;
  triad_real r0 = tau / b0, r1 = tau / b1, r2 = tau / b2;
  triad_compressible_trust s = {1 + r0 * r0, 1 + r1 * r1, 1 + r2 * r2};
#else
  triad_real t0 = b1 * b2, t1 = b0 * b2, t2 = b0 * b1, all = t0 * b0, one = TRIAD_COMPRESSIBLE_SCALE_Z * all * all,
             tau2 = TRIAD_COMPRESSIBLE_SCALE_Z * tau * tau;
  triad_compressible_trust s = {one + tau2 * (t0 * t0), one + tau2 * (t1 * t1), one + tau2 * (t2 * t2)};
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
  triad_real tau = b.s2 - b.s0;
  tau = tau < 0 ? -tau : tau;
  triad_real b0 = b.s0 + TRIAD_TENO_EPSILON, b1 = b.s1 + TRIAD_TENO_EPSILON, b2 = b.s2 + TRIAD_TENO_EPSILON;
#ifdef TRIAD_SINGLE
  triad_real bound = TRIAD_TENO_MOST * triad_compressible_least_of(b0, b1, b2);
  tau = tau < bound ? tau : bound;
#endif
  triad_real r0 = 1 + tau / b0, r1 = 1 + tau / b1, r2 = 1 + tau / b2;
  triad_real most = r0 > r1 ? r0 : r1, scale = 1 / (most > r2 ? most : r2);
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
  return w * (c + c * c + w * (w - 3 * c)) / (c * c + w * (1 - 2 * c));
}

/* Six times the edge's value less q of the cell is over/under: sum_k a_k p_k/sum_k a_k with a_k = c_k s_k, parabolas
 * p from the upwind one. */
typedef struct triad_compressible_ratio {
  triad_real over, under;
} triad_compressible_ratio;

TRIAD_POINT_INLINE triad_compressible_ratio triad_compressible_blend(int weights, triad_real s0, triad_real s1,
                                                                     triad_real s2, triad_real p0, triad_real p1,
                                                                     triad_real p2)
{
  triad_real a0 = TRIAD_COMPRESSIBLE_C0 * s0, a1 = TRIAD_COMPRESSIBLE_C1 * s1, a2 = TRIAD_COMPRESSIBLE_C2 * s2;
  if (weights == TRIAD_WENO_M) {
    triad_real scale = 1 / (a0 + a1 + a2);
    a0 = triad_compressible_map(a0 * scale, TRIAD_COMPRESSIBLE_C0);
    a1 = triad_compressible_map(a1 * scale, TRIAD_COMPRESSIBLE_C1);
    a2 = triad_compressible_map(a2 * scale, TRIAD_COMPRESSIBLE_C2);
  }
  triad_compressible_ratio r = {a0 * p0 + a1 * p1 + a2 * p2, a0 + a1 + a2};
  return r;
}

TRIAD_POINT_INLINE triad_compressible_trust triad_compressible_trust_of(int weights, triad_compressible_trust b)
{
  return weights == TRIAD_WENO_Z      ? triad_compressible_trust_z(b)
         : weights == TRIAD_WENO_TENO ? triad_compressible_trust_teno(b)
                                      : triad_compressible_trust_js(b);
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
    triad_compressible_trust_of(weights, triad_compressible_smoothness(per * d1, per * d2, per * d3, per * d4));
  triad_compressible_ratio up =
    triad_compressible_blend(weights, s.s0, s.s1, s.s2, 5 * d2 - 2 * d1, d2 + 2 * d3, 4 * d3 - d4);
  triad_compressible_ratio down =
    triad_compressible_blend(weights, s.s2, s.s1, s.s0, 5 * d3 - 2 * d4, d3 + 2 * d2, 4 * d2 - d1);
#ifdef TRIAD_SINGLE
  *above = c + up.over / (6 * up.under);
  *below = c - down.over / (6 * down.under);
#else
  triad_real both = 1 / (6 * up.under * down.under); /* one division for two */
  *above = c + up.over * down.under * both;
  *below = c - down.over * up.under * both;
#endif
}

/* The upper edge alone, for values that differ from edge to edge; with e .. a it is the lower one. */
TRIAD_POINT_INLINE triad_real triad_compressible_edge(int weights, triad_real per, triad_real a, triad_real b,
                                                      triad_real c, triad_real d, triad_real e)
{
  triad_real d1 = b - a, d2 = c - b, d3 = d - c, d4 = e - d;
  if (weights == TRIAD_COMPRESSIBLE_LINEAR) return c + TRIAD_R(1.0 / 60) * (24 * d3 + 11 * d2 - 2 * d1 - 3 * d4);
  triad_compressible_trust s =
    triad_compressible_trust_of(weights, triad_compressible_smoothness(per * d1, per * d2, per * d3, per * d4));
  triad_compressible_ratio up =
    triad_compressible_blend(weights, s.s0, s.s1, s.s2, 5 * d2 - 2 * d1, d2 + 2 * d3, 4 * d3 - d4);
  return c + up.over / (6 * up.under);
}

#endif
