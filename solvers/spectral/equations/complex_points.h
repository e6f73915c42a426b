/* Complex numbers in double precision for small matrices of a mode, for CPU and GPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_COMPLEX_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_COMPLEX_POINTS_H

#include "base/point.h"

typedef struct triad_value {
  double re, im;
} triad_value;

TRIAD_POINT triad_value triad_value_of(double re, double im)
{
  triad_value v;
  v.re = re;
  v.im = im;
  return v;
}

TRIAD_POINT triad_value triad_value_add(triad_value a, triad_value b)
{
  return triad_value_of(a.re + b.re, a.im + b.im);
}

TRIAD_POINT triad_value triad_value_less(triad_value a, triad_value b)
{
  return triad_value_of(a.re - b.re, a.im - b.im);
}

TRIAD_POINT triad_value triad_value_scale(double c, triad_value a) { return triad_value_of(c * a.re, c * a.im); }

/* By parts: the product of C looks at infinities in every multiplication. */
TRIAD_POINT triad_value triad_value_times(triad_value a, triad_value b)
{
  return triad_value_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* Re conj(a) b. */
TRIAD_POINT double triad_value_dot(triad_value a, triad_value b) { return a.re * b.re + a.im * b.im; }

TRIAD_POINT double triad_value_size(triad_value a)
{
  const double x = fabs(a.re), y = fabs(a.im), most = x > y ? x : y, least = x > y ? y : x;
  return most > 0 ? most * sqrt(1 + (least / most) * (least / most)) : most + least;
}

/* 1/a, without overflow of |a|^2. */
TRIAD_POINT triad_value triad_value_inverse(triad_value a)
{
  if (fabs(a.re) >= fabs(a.im)) {
    const double r = a.im / a.re, d = 1 / (a.re + r * a.im);
    return triad_value_of(d, -(r * d));
  }
  const double r = a.re / a.im, d = 1 / (a.im + r * a.re);
  return triad_value_of(r * d, -d);
}

TRIAD_POINT triad_value triad_value_exp(triad_value a)
{
  const double e = exp(a.re);
  return triad_value_of(e * cos(a.im), e * sin(a.im));
}

/* The root whose real part is not negative. */
TRIAD_POINT triad_value triad_value_sqrt(triad_value a)
{
  const double size = triad_value_size(a), half = sqrt((fabs(a.re) + size) / 2);
  if (!(half > 0)) return triad_value_of(0, 0);
  if (a.re >= 0) return triad_value_of(half, a.im / (2 * half));
  return triad_value_of(fabs(a.im) / (2 * half), a.im < 0 ? -half : half);
}

#endif
