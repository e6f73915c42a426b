/* Eigenvalues of a small complex matrix: reduction to Hessenberg form, then QR steps with Wilkinson's shift (Golub and
 * Van Loan, Matrix Computations, chapter 7). */
#include "solvers/spectral/text/compile/linear.h"

#include <math.h>

/* Make rows below the first subdiagonal 0 by elimination with pivots: a similarity. */
static void reduce(int n, double complex *a)
{
  for (int c = 0; c < n - 2; c++) {
    int best = c + 1;
    for (int r = c + 2; r < n; r++)
      if (cabs(a[r * n + c]) > cabs(a[best * n + c])) best = r;
    if (!(cabs(a[best * n + c]) > 0)) continue;
    for (int k = 0; k < n; k++) {
      const double complex swap = a[best * n + k];
      a[best * n + k] = a[(c + 1) * n + k];
      a[(c + 1) * n + k] = swap;
    }
    for (int k = 0; k < n; k++) {
      const double complex swap = a[k * n + best];
      a[k * n + best] = a[k * n + c + 1];
      a[k * n + c + 1] = swap;
    }
    for (int r = c + 2; r < n; r++) {
      const double complex f = a[r * n + c] / a[(c + 1) * n + c];
      for (int k = 0; k < n; k++) a[r * n + k] -= f * a[(c + 1) * n + k];
      for (int k = 0; k < n; k++) a[k * n + c + 1] += f * a[k * n + r];
    }
  }
}

/* The eigenvalue of the last 2 x 2 block of rows .. m that is closer to its last element. */
static double complex shift_of(int n, const double complex *a, int m)
{
  const double complex p = a[(m - 1) * n + m - 1], q = a[(m - 1) * n + m], r = a[m * n + m - 1], s = a[m * n + m];
  const double complex half = (p - s) / 2, root = csqrt(half * half + q * r);
  const double complex one = s + half + root, other = s + half - root;
  return cabs(one - s) < cabs(other - s) ? one : other;
}

/* One QR step of rows and columns first .. m, by Givens rotations. */
static void qr_step(int n, double complex *a, int first, int m, double complex shift)
{
  double complex cosine[TRIAD_TEXT_FIELDS], sine[TRIAD_TEXT_FIELDS];
  for (int i = first; i <= m; i++) a[i * n + i] -= shift;
  for (int i = first; i < m; i++) {
    const double complex x = a[i * n + i], y = a[(i + 1) * n + i];
    const double size = hypot(cabs(x), cabs(y));
    cosine[i] = size > 0 ? x / size : 1;
    sine[i] = size > 0 ? y / size : 0;
    for (int k = i; k <= m; k++) {
      const double complex u = a[i * n + k], v = a[(i + 1) * n + k];
      a[i * n + k] = conj(cosine[i]) * u + conj(sine[i]) * v;
      a[(i + 1) * n + k] = -sine[i] * u + cosine[i] * v;
    }
  }
  for (int i = first; i < m; i++)
    for (int k = first; k <= (i + 2 < m ? i + 2 : m); k++) {
      const double complex u = a[k * n + i], v = a[k * n + i + 1];
      a[k * n + i] = u * cosine[i] + v * sine[i];
      a[k * n + i + 1] = -u * conj(sine[i]) + v * conj(cosine[i]);
    }
  for (int i = first; i <= m; i++) a[i * n + i] += shift;
}

/* Is an element below the diagonal 0 to rounding, compared with its neighbours or with all of the matrix, of size 1? */
static int is_small(int n, const double complex *a, int row)
{
  const double here = cabs(a[row * n + row - 1]);
  return here <= 1e-15 * (cabs(a[row * n + row]) + cabs(a[(row - 1) * n + row - 1])) || here <= 2e-16;
}

int triad_text_eigenvalues(int n, double complex *a, double complex *lambda)
{
  int m = n - 1;
  double size = 0;
  for (int i = 0; i < n * n; i++) size += cabs(a[i]);
  if (!isfinite(size)) return 0;
  const double unit = size > 0 ? size : 1; /* squares of large elements would overflow */
  for (int i = 0; i < n * n; i++) a[i] /= unit;
  reduce(n, a);
  for (int tries = 0; m > 0 && tries < 60 * n; tries++) {
    int first = m;
    while (first > 0 && !is_small(n, a, first)) first--;
    if (first == m) {
      m--;
      continue;
    }
    double complex shift = shift_of(n, a, m);
    if (tries % 11 == 10) shift += cabs(a[m * n + m - 1]); /* out of a cycle */
    qr_step(n, a, first, m, shift);
  }
  for (int i = 0; i < n; i++) lambda[i] = unit * a[i * n + i];
  return m == 0;
}
