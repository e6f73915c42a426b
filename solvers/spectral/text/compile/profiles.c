/* Aliases of functions of position. Such a function is known at the points only: its modes that, times those of p
 * fields, reach a kept mode from beyond the grid are |m| >= n - (p + 1) K along an axis of n points that keeps modes up
 * to K. How much of the function is in these modes is measured along some lines, at four times the points. */
#include "solvers/spectral/text/compile/profiles.h"
#include "base/precision.h"

#include <math.h>
#include <stdlib.h>

enum { FINER = 4, LINES = 5, LONG = 512 };

/* A line of m points along an axis: what is in modes above `most` (rms), and all of it. 0 without memory. */
static int measure_line(const triad_formula *f, const triad_grid *g, int axis, const double from[3], int64_t m,
                        int64_t most, double *beyond, double *all)
{
  double *v = calloc((size_t)(3 * m), sizeof *v), *c = v ? v + m : NULL, *s = v ? v + 2 * m : NULL;
  if (!v) return 0;
  for (int64_t i = 0; i < m; i++) {
    double at[3] = {from[0], from[1], from[2]};
    at[axis] = g->length[axis] * (double)i / (double)m;
    triad_formula_rows(f, 1, (const double *const[]){&at[0], &at[1], &at[2]}, &v[i]);
    c[i] = cos(2 * TRIAD_PI * (double)i / (double)m);
    s[i] = sin(2 * TRIAD_PI * (double)i / (double)m);
    *all = fmax(*all, fabs(v[i]));
  }
  for (int64_t k = 0; k <= most; k++) {
    double re = 0, im = 0;
    for (int64_t i = 0, at = 0; i < m; i++, at = (at + k) % m) {
      re += v[i] * c[at];
      im += v[i] * s[at];
    }
    re *= (k > 0 ? 2 : 1) / (double)m;
    im *= 2 / (double)m;
    for (int64_t i = 0, at = 0; i < m; i++, at = (at + k) % m) v[i] -= re * c[at] + im * s[at];
  }
  double sum = 0;
  for (int64_t i = 0; i < m; i++) sum += v[i] * v[i];
  *beyond = fmax(*beyond, sqrt(sum / (double)m));
  free(v);
  return 1;
}

double triad_text_beyond(const triad_formula *f, const triad_grid *g, int fields)
{
  double beyond = 0, all = 0;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t n = g->n[axis];
    if (n == 1 || !triad_formula_uses(f, axis)) continue;
    const int64_t kept = (int64_t)floor(triad_grid_reach(g, axis) * g->length[axis] / (2 * TRIAD_PI) + 1e-9);
    const int64_t most = n - (fields + 1) * kept - 1;
    for (int line = 0; line < (n > LONG ? 1 : LINES); line++) {
      double from[3];
      for (int i = 0; i < 3; i++)
        from[i] = g->n[i] == 1 ? 0 : g->length[i] * fmod(0.1234 + 0.618034 * line * (i + 1), 1);
      if (!measure_line(f, g, axis, from, FINER * n, most, &beyond, &all)) return -1;
    }
  }
  return all > 0 ? beyond / all : 0;
}
