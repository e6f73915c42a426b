/* The Kaiser-Bessel kernel (as one of gridding: Jackson et al. 1991, IEEE Trans. Med. Imaging 10, 473) as polynomials
 * between grid points, made once in extended precision. */
#include "fft/at_points/at_points_kernel.h"
#include "fft/at_points/at_points_internal.h"

#include "base/precision.h"

#include <math.h>

static const double beta = 0.98 * 0.75 * TRIAD_PI * TRIAD_KERNEL_WIDTH;

/* I0(2 sqrt(q)) = sum_k q^k/(k!)^2, an entire function of q. */
static long double bessel(long double q)
{
  long double term = 1, sum = 1;
  for (int k = 1; k < 400 && term > sum * 1e-22L; k++) sum += term *= q / ((long double)k * k);
  return sum;
}

/* The kernel phi at a distance of d spacings, continued smoothly a little beyond its end. */
static long double phi(long double d)
{
  long double z = 2 * d / TRIAD_KERNEL_WIDTH, q = (long double)beta * beta / 4;
  return bessel(q * (1 - z * z)) / bessel(q);
}

/* Interpolation in Chebyshev's points: divided differences, then powers of t. */
static void fit(int j, triad_kernel *kernel)
{
  enum { M = TRIAD_KERNEL_TERMS };
  long double t[M], d[M], c[M] = {0};
  for (int m = 0; m < M; m++) {
    t[m] = cosl((2 * m + 1) * 3.14159265358979323846264338327950288L / (2 * M));
    d[m] = phi(TRIAD_KERNEL_WIDTH / 2 - 1 - j + (t[m] + 1) / 2);
  }
  for (int i = 1; i < M; i++)
    for (int m = M - 1; m >= i; m--) d[m] = (d[m] - d[m - 1]) / (t[m] - t[m - i]);
  for (int m = M - 1; m >= 0; m--) {
    for (int i = M - 1; i > 0; i--) c[i] = c[i - 1] - t[m] * c[i];
    c[0] = d[m] - t[m] * c[0];
  }
  for (int m = 0; m < M; m++) kernel->c[m][j] = (double)c[m];
}

void triad_kernel_make(triad_kernel *kernel)
{
  for (int j = 0; j < TRIAD_KERNEL_WIDTH; j++) fit(j, kernel);
}

double triad_kernel_undo(int64_t k, int64_t n)
{
  long double s = TRIAD_PI * TRIAD_KERNEL_WIDTH * (long double)k / (long double)n;
  long double root = sqrtl((long double)beta * beta - s * s), q = (long double)beta * beta / 4;
  return (double)(2 / (TRIAD_KERNEL_WIDTH * (2 * sinhl(root) / root / bessel(q))));
}
