/* Interpolation by B-splines: the weights of one particle along one axis, and what they make of a mode.
 *
 * beta_m is the box of width 1 convolved with itself m times, of degree m - 1 and support m. With modes c_k,
 *   u(x) = sum_j c(x_j) beta_m(x/h - j)   makes of exp(i k x)   sinc(k h/2)^m exp(i k x) + its images k + 2 pi l/h,
 * so with c_k = u_k / sinc(k h/2)^m each mode comes out exactly, and its images, (k h/(k h + 2 pi l))^m times as large, are
 * all of the error: order m in k h (docs/numerics.md eq. 69). Order 2 is linear interpolation. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_SPLINE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_SPLINE_POINTS_H

#include "base/point.h"

enum { TRIAD_SPLINE_MOST = 6 };

/* The weights of the points i - m/2 + 1 .. i + m/2, where a particle is at i + f spacings, 0 <= f < 1: beta_m at f + m/2 - 1,
 * .., f - m/2. Cox and de Boor's recursion, from order 2 up: weights are sums of positive terms, and add up to 1. */
TRIAD_POINT void triad_spline_weights(int m, double f, double *w)
{
  w[0] = 1 - f;
  w[1] = f;
  for (int order = 3; order <= m; order++) {
    const double inverse = 1. / (order - 1);
    w[order - 1] = f * w[order - 2] * inverse;
    for (int i = order - 2; i > 0; i--)
      w[i] = ((f + (order - 1 - i)) * w[i - 1] + ((i + 1) - f) * w[i]) * inverse;
    w[0] = (1 - f) * w[0] * inverse;
  }
}

/* sinc(theta/2)^m of a mode that turns by theta = 2 pi k/n from a point to the next. */
TRIAD_POINT double triad_spline_transfer(int m, double theta)
{
  const double half = theta / 2, s = half != 0 ? sin(half) / half : 1;
  double product = 1;
  for (int i = 0; i < m; i++) product *= s;
  return product;
}

#endif
