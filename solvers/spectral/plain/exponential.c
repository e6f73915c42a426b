/* The exponential of a small complex matrix. */
#include "solvers/spectral/plain/exponential.h"

#include "base/cmplx.h"

#include <math.h>
#include <string.h>

enum { MOST = TRIAD_EXPONENTIAL * TRIAD_EXPONENTIAL };

/* exp(A) = e^s (cosh d + (sinh d)/d (A - s)), s half the trace, d^2 = s^2 - det A. */
static void of_two(const double complex *a, double complex *e)
{
  const double complex s = (a[0] + a[3]) / 2, p = (a[0] - a[3]) / 2, d2 = p * p + a[1] * a[2], d = csqrt(d2);
  const double complex ratio = cabs(d2) < 1e-4 ? 1 + d2 / 6 * (1 + d2 / 20 * (1 + d2 / 42)) : 0;
  /* e^s goes into both: cosh alone could overflow */
  const double complex up = cexp(s + d), down = cexp(s - d), cosine = (up + down) / 2;
  const double complex sine = cabs(d2) < 1e-4 ? cexp(s) * ratio : (up - down) / (2 * d);
  e[0] = cosine + sine * p;
  e[1] = sine * a[1];
  e[2] = sine * a[2];
  e[3] = cosine - sine * p;
}

/* By parts: the complex product of C looks at infinities in every multiplication. */
static void multiply(int n, const double complex *a, const double complex *b, double complex *c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double re = 0, im = 0;
      for (int k = 0; k < n; k++) {
        const double complex x = a[i * n + k], y = b[k * n + j];
        re += creal(x) * creal(y) - cimag(x) * cimag(y);
        im += creal(x) * cimag(y) + cimag(x) * creal(y);
      }
      c[i * n + j] = CMPLX(re, im);
    }
}

/* e = sum A^j / j! up to j = 15, by six products (Paterson and Stockmeyer 1973, SIAM J. Comput. 2, 60): with a norm of
 * at most 1/2 the rest is below 1e-18. */
static void series(int n, const double complex *a, double complex *e)
{
  double complex power[4][MOST], next[MOST];
  double factor[16] = {1};
  for (int j = 1; j < 16; j++) factor[j] = factor[j - 1] / j;
  memcpy(power[0], a, (size_t)(n * n) * sizeof *a);
  for (int j = 1; j < 4; j++) multiply(n, power[j - 1], a, power[j]);
  for (int group = 3; group >= 0; group--) {
    const double *f = factor + 4 * group;
    if (group < 3) multiply(n, e, power[3], next);
    for (int i = 0; i < n * n; i++) {
      const double complex more = f[1] * power[0][i] + f[2] * power[1][i] + f[3] * power[2][i];
      e[i] = (group < 3 ? next[i] : 0) + more + (i % (n + 1) == 0 ? f[0] : 0);
    }
  }
}

/* The slowest decay of the diagonal and its mean frequency are taken out first: nothing overflows where others decay
 * much faster. */
static void of_many(int n, double complex *a, double complex *e)
{
  double complex next[MOST], shift = creal(a[0]);
  double norm = 0;
  int squarings = 0;
  for (int i = 1; i < n; i++) shift = fmax(creal(shift), creal(a[i * n + i]));
  for (int i = 0; i < n; i++) shift += I * cimag(a[i * n + i]) / n;
  for (int i = 0; i < n; i++) a[i * n + i] -= shift;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++) row += fabs(creal(a[i * n + j])) + fabs(cimag(a[i * n + j]));
    norm = fmax(norm, row);
  }
  if (norm > 0.5) squarings = (int)fmin(ceil(log2(norm / 0.5)), 60);
  for (int i = 0; i < n * n; i++) a[i] *= ldexp(1, -squarings);
  series(n, a, e);
  for (int s = 0; s < squarings; s++) {
    multiply(n, e, e, next);
    memcpy(e, next, (size_t)(n * n) * sizeof *e);
  }
  const double complex factor = cexp(shift);
  for (int i = 0; i < n * n; i++) e[i] *= factor;
}

void triad_exponential(int n, const double *from, double tau, double *out)
{
  double complex a[MOST], e[MOST] = {0};
  for (int i = 0; i < n * n; i++) a[i] = tau * (from[2 * i] + I * from[2 * i + 1]);
  if (n == 1) e[0] = cexp(a[0]);
  else if (n == 2) of_two(a, e);
  else of_many(n, a, e);
  for (int i = 0; i < n * n; i++) {
    out[2 * i] = creal(e[i]);
    out[2 * i + 1] = cimag(e[i]);
  }
}
