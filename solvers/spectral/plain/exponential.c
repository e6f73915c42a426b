/* The exponential of a small complex matrix, of pairs of numbers. */
#include "solvers/spectral/plain/exponential.h"

void triad_exponential(int n, const double *from, double tau, double *out)
{
  triad_value a[TRIAD_EXPONENTIAL_ELEMENTS], e[TRIAD_EXPONENTIAL_ELEMENTS] = {{0, 0}};
  for (int i = 0; i < n * n; i++) a[i] = triad_value_of(from[2 * i], from[2 * i + 1]);
  triad_exponential_of(n, tau, a, e);
  for (int i = 0; i < n * n; i++) {
    out[2 * i] = e[i].re;
    out[2 * i + 1] = e[i].im;
  }
}
