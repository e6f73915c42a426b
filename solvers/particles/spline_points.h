/* Interpolation: the weights of one particle along one axis, and the factors by which modes are divided before.
 *
 * By B-splines, of modes that are divided first:
 * beta_m is the box of width 1 convolved with itself m times, of degree m - 1 and support m. With modes c_k,
 *   u(x) = sum_j c(x_j) beta_m(x/h - j)   makes of exp(i k x)   sinc(k h/2)^m exp(i k x) + its images k + 2 pi l/h,
 * so with c_k = u_k / sinc(k h/2)^m each mode comes out exactly, and its images, (k h/(k h + 2 pi l))^m times as
 * large, are all of the error: order m in k h (docs/methods/particles.md eq. 69). Order 2 is linear interpolation.
 *
 * By Lagrange's polynomial through the m points around a place, of the field's own values, which takes no division:
 * of order m too, with a larger error than the spline's (eq. 69a). */
#ifndef TRIAD_SOLVERS_PARTICLES_SPLINE_POINTS_H
#define TRIAD_SOLVERS_PARTICLES_SPLINE_POINTS_H

#include "base/point.h"

enum { TRIAD_SPLINE_MOST = 6, TRIAD_WEIGHTS_MOST = 8 };

/* The weights of the points i - m/2 + 1 .. i + m/2, where a particle is at i + f spacings, 0 <= f < 1: beta_m at f +
 * m/2 - 1, .., f - m/2; of `lanes` places f at once, w[m][lanes]. Cox and de Boor's recursion, from order 2 up:
 * weights are sums of positive terms, and add up to 1. */
TRIAD_POINT void triad_spline_weights_of(int lanes, int m, const double *f, double *w)
{
  for (int l = 0; l < lanes; l++) {
    w[l] = 1 - f[l];
    w[lanes + l] = f[l];
  }
  for (int order = 3; order <= m; order++) {
    const double inverse = 1. / (order - 1);
    for (int l = 0; l < lanes; l++) w[(order - 1) * lanes + l] = f[l] * w[(order - 2) * lanes + l] * inverse;
    for (int i = order - 2; i > 0; i--)
      for (int l = 0; l < lanes; l++)
        w[i * lanes + l] =
          ((f[l] + (order - 1 - i)) * w[(i - 1) * lanes + l] + ((i + 1) - f[l]) * w[i * lanes + l]) * inverse;
    for (int l = 0; l < lanes; l++) w[l] = (1 - f[l]) * w[l] * inverse;
  }
}

TRIAD_POINT void triad_spline_weights(int m, double f, double *w) { triad_spline_weights_of(1, m, &f, w); }

/* The weights of the same points for a polynomial: prod_l (f - x_l)/(x_j - x_l), x_j = j - m/2 + 1; products from
 * both ends. */
TRIAD_POINT void triad_lagrange_weights_of(int lanes, int m, const double *f, double *w)
{
  double inverse = 1;
  for (int l = 0; l < lanes; l++) w[l] = 1;
  for (int j = 1; j < m; j++)
    for (int l = 0; l < lanes; l++) w[j * lanes + l] = w[(j - 1) * lanes + l] * (f[l] - (j - m / 2));
  for (int j = 2; j < m; j++) inverse /= j; /* of the last, 1/(0! (m - 1)!): signs alternate from it down */
  for (int l = 0; l < lanes; l++) {
    double right = inverse; /* times what is right of j; j! (m - 1 - j)! goes with it */
    for (int j = m - 1; j >= 0; j--) {
      w[j * lanes + l] *= right;
      right *= ((j - m / 2 + 1) - f[l]) * ((double)j / (m - j));
    }
  }
}

TRIAD_POINT void triad_lagrange_weights(int m, double f, double *w) { triad_lagrange_weights_of(1, m, &f, w); }

/* d/df of these, which gives a field's derivative times a spacing: of order m - 1. */
TRIAD_POINT void triad_lagrange_slopes(int m, double f, double *slope)
{
  for (int j = 0; j < m; j++) {
    slope[j] = 0;
    for (int left_out = 0; left_out < m; left_out++) {
      if (left_out == j) continue;
      double product = 1. / (j - left_out);
      for (int k = 0; k < m; k++)
        if (k != j && k != left_out) product *= (f - (k - m / 2 + 1)) / (j - k);
      slope[j] += product;
    }
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
