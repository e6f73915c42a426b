/* Linear dependence of combinations of products: Gauss on the transposed system. Each element is compared with the
 * parts that it was made of, since a small coefficient may be before a large product. */
#include "solvers/spectral/text/compile/rank.h"

#include <math.h>

static void swap(double *a, double *b)
{
  const double was = *a;
  *a = *b;
  *b = was;
}

int triad_text_rank_depends(int n, int m, double (*basis)[TRIAD_TEXT_PRODUCTS], const double *c, double *x)
{
  static _Thread_local double a[TRIAD_TEXT_PRODUCTS][TRIAD_TEXT_OUTPUTS + 1];
  static _Thread_local double size[TRIAD_TEXT_PRODUCTS][TRIAD_TEXT_OUTPUTS + 1];
  int pivot_row = 0;
  for (int p = 0; p < m; p++) {
    for (int o = 0; o < n; o++) a[p][o] = basis[o][p];
    a[p][n] = c[p];
    for (int o = 0; o <= n; o++) size[p][o] = fabs(a[p][o]);
  }
  for (int o = 0; o < n; o++) {
    int best = pivot_row;
    for (int p = pivot_row; p < m; p++)
      if (fabs(a[p][o]) > fabs(a[best][o])) best = p;
    for (int k = 0; k <= n; k++) {
      swap(&a[pivot_row][k], &a[best][k]);
      swap(&size[pivot_row][k], &size[best][k]);
    }
    for (int p = 0; p < m; p++) {
      const double f = p == pivot_row ? 0 : a[p][o] / a[pivot_row][o];
      for (int k = o; k <= n && (f < 0 || f > 0); k++) {
        a[p][k] -= f * a[pivot_row][k];
        size[p][k] += fabs(f) * size[pivot_row][k];
        if (fabs(a[p][k]) <= TRIAD_TEXT_EQUAL * size[p][k]) a[p][k] = 0;
      }
    }
    pivot_row++;
  }
  for (int p = pivot_row; p < m; p++)
    if (fabs(a[p][n]) > 0) return 0;
  for (int o = 0; o < n; o++) x[o] = a[o][n] / a[o][o];
  return 1;
}
