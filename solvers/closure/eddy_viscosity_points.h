/* Eddy viscosities of subgrid models at one point, from the velocity gradient (docs/methods/closures.md): one
 * source for all solvers and devices. g[3 i + j] = du_i/dx_j [1/T]. Every function returns nu_t >= 0 [L^2/T], and 0
 * for g = 0. */
#ifndef TRIAD_SOLVERS_CLOSURE_EDDY_VISCOSITY_POINTS_H
#define TRIAD_SOLVERS_CLOSURE_EDDY_VISCOSITY_POINTS_H

#include "base/point.h"

/* Plain data. */
typedef struct triad_closure_constants {
  triad_real factor;   /* (C Delta)^2 [L^2]; the number c for vreman */
  triad_real width[3]; /* filter width along each axis [L], for vreman */
} triad_closure_constants;

/* 2 S:S = |S|^2, S the symmetric part of g. */
TRIAD_POINT triad_real triad_strain_squared(const triad_real *g)
{
  const triad_real xy = g[1] + g[3], xz = g[2] + g[6], yz = g[5] + g[7];
  return 2 * (g[0] * g[0] + g[4] * g[4] + g[8] * g[8]) + xy * xy + xz * xz + yz * yz;
}

/* Smagorinsky 1963, Mon. Weather Rev. 91, 99: (C_s Delta)^2 |S|. */
TRIAD_POINT triad_real triad_eddy_smagorinsky(const triad_closure_constants *c, const triad_real *g)
{
  return c->factor * TRIAD_SQRT(triad_strain_squared(g));
}

/* The sum of squared 2 x 2 minors of g, each with the squared weights of its two columns. For unit weights it is the
 * second invariant of g^T g. As a sum of squares it has no cancellation where g has rank one. */
TRIAD_POINT triad_real triad_minors_squared(const triad_real *g, const triad_real *weight)
{
  triad_real sum = 0;
  for (int m = 0; m < 3; m++) {
    const int n = (m + 1) % 3;
    triad_real part = 0;
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3;
      const triad_real minor = g[3 * i + m] * g[3 * j + n] - g[3 * i + n] * g[3 * j + m];
      part += minor * minor;
    }
    sum += weight[m] * weight[m] * weight[n] * weight[n] * part;
  }
  return sum;
}

/* Vreman 2004, Phys. Fluids 16, 3670: c sqrt(B/(g:g)), B the second invariant of b_ij = Delta_m^2 g_im g_jm. */
TRIAD_POINT triad_real triad_eddy_vreman(const triad_closure_constants *c, const triad_real *g)
{
  triad_real size = 0;
  for (int i = 0; i < 9; i++) size += g[i] * g[i];
  return c->factor * TRIAD_SQRT(triad_minors_squared(g, c->width) / triad_max(size, TRIAD_R(TRIAD_SMALLEST)));
}

/* WALE, Nicoud and Ducros 1999, Flow Turbul. Combust. 62, 183:
 *   (C_w Delta)^2 (Sd:Sd)^(3/2)/((S:S)^(5/2) + (Sd:Sd)^(5/4)),   Sd = sym(g g) - delta tr(g g)/3
 * computed with S:S and (Sd:Sd)^(1/2) over the larger of the two, since powers of either would overflow. */
TRIAD_POINT triad_real triad_eddy_wale(const triad_closure_constants *c, const triad_real *g)
{
  triad_real h[9], trace = 0, dd = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) h[3 * i + j] = g[3 * i] * g[j] + g[3 * i + 1] * g[3 + j] + g[3 * i + 2] * g[6 + j];
  trace = (h[0] + h[4] + h[8]) / 3;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    const triad_real d = h[4 * i] - trace, s = h[3 * i + j] + h[3 * j + i];
    dd += d * d + s * s / 2;
  }
  const triad_real ss = triad_strain_squared(g) / 2, root = TRIAD_SQRT(dd), size = ss > root ? ss : root;
  const triad_real per = 1 / triad_max(size, TRIAD_R(TRIAD_SMALLEST)), x = ss * per, y = root * per;
  return c->factor * TRIAD_SQRT(size) * y * y * y /
         triad_max(x * x * TRIAD_SQRT(x) + y * y * TRIAD_SQRT(y), TRIAD_R(TRIAD_SMALLEST));
}

/* cos(acos(x)/3) for x in [-1, 1], to 4e-16: a polynomial in s = cos(acos(x)/2) = sqrt((1 + x)/2), in which it is
 * smooth, so that a loop becomes vector instructions. Coefficients of powers of 2 s - 1 from a Chebyshev series. */
TRIAD_POINT triad_real triad_third_of_angle(triad_real x)
{
  const double of[21] = {0.766044443118978,       0.24740906632285303,     -0.01550918843648581,
                         0.002466352815087338,    -0.0005041246911453431,  0.00011642545293476212,
                         -2.8919936180435574e-05, 7.541078640701342e-06,   -2.0358706589959087e-06,
                         5.641509636123585e-07,   -1.5953907010009581e-07, 4.586042851669284e-08,
                         -1.3359523703127754e-08, 3.929463288067197e-09,   -1.167859712129277e-09,
                         3.575095124594894e-10,   -1.0841479207469056e-10, 2.7036688125375587e-11,
                         -8.026621798194851e-12,  5.082538322352577e-12,   -1.6125223045091586e-12};
  const triad_real t = 2 * TRIAD_SQRT((1 + x) / 2) - 1;
  triad_real y = (triad_real)of[20];
#ifdef __CUDACC__
#pragma unroll
#else
#pragma GCC unroll 20
#endif
  for (int i = 19; i >= 0; i--) y = triad_fma(y, t, (triad_real)of[i]);
  return y;
}

/* sigma, Nicoud, Baya Toda, Cabrit, Bose, Lee 2011, Phys. Fluids 23, 085106: (C Delta)^2 s3 (s1 - s2)(s2 - s3)/s1^2,
 * with the singular values s1 >= s2 >= s3 >= 0 of g. s1^2 is the largest root of the characteristic polynomial of g^T g
 * (Hasan, Basser, Parker, Alexander 2001, J. Magn. Reson. 152, 41). s2 and s3 follow from s2 s3 = |det g|/s1 and the
 * second invariant, which does not cancel. */
TRIAD_POINT triad_real triad_eddy_sigma(const triad_closure_constants *c, const triad_real *g)
{
  const triad_real one[3] = {1, 1, 1}, least = TRIAD_R(TRIAD_SMALLEST);
  triad_real largest = 0, a[9], i1 = least;
  for (int i = 0; i < 9; i++) largest = triad_max(largest, TRIAD_ABS(g[i]));
  const triad_real scale = 1 / triad_max(largest, least);
  for (int i = 0; i < 9; i++) a[i] = g[i] * scale;
  const triad_real det =
    a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
  for (int i = 0; i < 9; i++) i1 += a[i] * a[i];
  const triad_real i2 = triad_minors_squared(a, one), i3 = det * det;
  const triad_real a1 = triad_max(i1 * i1 / 9 - i2 / 3, 0), root = TRIAD_SQRT(a1);
  const triad_real a2 = i1 * i1 * i1 / 27 - i1 * i2 / 6 + i3 / 2;
  const triad_real cosine = triad_min(triad_max(a2 / triad_max(a1 * root, least), -1), 1);
  const triad_real s1s1 = i1 / 3 + 2 * root * triad_third_of_angle(cosine), s1 = TRIAD_SQRT(s1s1);
  const triad_real product = TRIAD_ABS(det) / s1, sum = triad_max((i2 - product * product) / s1s1, 2 * product);
  const triad_real difference = TRIAD_SQRT(triad_max(sum - 2 * product, 0)); /* s2 - s3 */
  const triad_real s2 = (TRIAD_SQRT(sum + 2 * product) + difference) / 2, s3 = product / triad_max(s2, least);
  return c->factor * largest * s3 * triad_max(s1 - s2, 0) * difference / s1s1;
}

#endif
