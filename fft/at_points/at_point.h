/* Arithmetic of a non-uniform transform (fft/at_points/at_points.h) for one mode and one point, on the host and in
 * CUDA. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINT_H
#define TRIAD_FFT_AT_POINTS_AT_POINT_H

#include "base/point.h"

enum {
  TRIAD_KERNEL_WIDTH = 16, /* W: grid points that a point sees along an axis            */
  TRIAD_KERNEL_TERMS = 21  /* of the polynomial that the kernel is between two of them  */
};

/* phi at the W grid points about a place, as polynomials of t = 2 f - 1, f in [0, 1) what is behind the whole number of
 * spacings: sum_m c[m][j] t^m at point j, which lies W/2 - 1 - j + f spacings before the place. */
typedef struct triad_kernel {
  double c[TRIAD_KERNEL_TERMS][TRIAD_KERNEL_WIDTH];
} triad_kernel;

/* The first of the W grid points that a place [spacings, within 0 .. n) sees, of n that are periodic; *t for the
 * kernel. */
TRIAD_POINT int64_t triad_kernel_first(double place, int64_t n, double *t)
{
  const double whole = floor(place);
  const int64_t first = (int64_t)whole - (TRIAD_KERNEL_WIDTH / 2 - 1);
  *t = 2 * (place - whole) - 1;
  return first < 0 ? first + n : first;
}

/* The kernel at point j along each of three axes. */
TRIAD_POINT_INLINE void triad_kernel_weights(const triad_kernel *kernel, int j, const double t[3], double k[3])
{
  double a = kernel->c[TRIAD_KERNEL_TERMS - 1][j], b = a, d = a;
  for (int m = TRIAD_KERNEL_TERMS - 2; m >= 0; m--) {
    const double c = kernel->c[m][j];
    a = a * t[0] + c;
    b = b * t[1] + c;
    d = d * t[2] + c;
  }
  k[0] = a;
  k[1] = b;
  k[2] = d;
}

/* Wavenumbers of which number m of a point (fft/at_points/at_points.h) has the product: 1 for its value. */
TRIAD_POINT double triad_at_factor(int m, double kx, double ky, double kz)
{
  if (m == 0) return 1;
  if (m < 4) return m == 1 ? kx : m == 2 ? ky : kz;
  if (m < 7) return m == 4 ? kx * kx : m == 5 ? ky * ky : kz * kz;
  return m == 7 ? kx * ky : m == 8 ? kx * kz : ky * kz;
}

/* The mode u(k) of number m, i to the power of the derivative and `by` among its factors; conjugate: as (-k). */
TRIAD_POINT void triad_at_term(int m, double by, const double u[2], int conjugate, double to[2])
{
  const double re = by * u[0], im = by * u[1], upper = m == 0 ? im : m < 4 ? re : -im;
  to[0] = m == 0 ? re : m < 4 ? -im : -re;
  to[1] = conjugate ? -upper : upper;
}

#endif
