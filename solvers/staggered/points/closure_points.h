/* The arithmetic of a subgrid stress on a staggered mesh: the nine velocity gradients at the centre of a cell, and the
 * force of the stress 2 nu_t S_ij at a face (docs/methods/closures.md eq. 91). nu_t is in the centres of cells. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_CLOSURE_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_CLOSURE_POINTS_H

#include "solvers/staggered/points/staggered_points.h"

/* g[3 a + b] = du_a/dx_b: a difference of the two faces for a = b, else the mean of the four edges of the cell. */
TRIAD_POINT_INLINE void triad_staggered_nine(const triad_staggered_sizes *m, const triad_real *const u[3], int64_t at,
                                             const int64_t c[3], triad_real g[9])
{
  for (int a = 0; a < 3; a++) {
    const int64_t s = m->step[a];
    const triad_real *v = u[a];
    for (int b = 0; b < 3; b++) {
      const int64_t t = m->step[b];
      if (b == a) {
        g[4 * a] = (v[at + s] - v[at]) * m->per_h[a][c[a]];
        continue;
      }
      const triad_real lower = (v[at] - v[at - t] + v[at + s] - v[at + s - t]) * m->per_d[b][c[b]];
      const triad_real upper = (v[at + t] - v[at] + v[at + s + t] - v[at + s]) * m->per_d[b][c[b] + 1];
      g[3 * a + b] = (lower + upper) / 4;
    }
  }
}

/* d_b (nu_t (d_b u_a + d_a u_b)) at a lower face across a; nu_t at an edge is the mean of the four cells around it. */
TRIAD_POINT_INLINE triad_real triad_staggered_subgrid(const int a, const triad_staggered_sizes *m,
                                                      const triad_real *const u[3], const triad_real *nu, int64_t at,
                                                      const int64_t c[3])
{
  const int64_t s = m->step[a];
  const triad_real *v = u[a], here = nu[at] + nu[at - s];
  triad_real sum =
    2 * m->per_d[a][c[a]] *
    (nu[at] * (v[at + s] - v[at]) * m->per_h[a][c[a]] - nu[at - s] * (v[at] - v[at - s]) * m->per_h[a][c[a] - 1]);
  for (int b = 0; b < 3; b++) {
    if (b == a) continue;
    const int64_t t = m->step[b];
    const triad_real *w = u[b];
    const triad_real upper = (here + nu[at + t] + nu[at + t - s]) * ((v[at + t] - v[at]) * m->per_d[b][c[b] + 1] +
                                                                     (w[at + t] - w[at + t - s]) * m->per_d[a][c[a]]);
    const triad_real lower = (here + nu[at - t] + nu[at - t - s]) *
                             ((v[at] - v[at - t]) * m->per_d[b][c[b]] + (w[at] - w[at - s]) * m->per_d[a][c[a]]);
    sum += (upper - lower) * m->per_h[b][c[b]] / 4;
  }
  return sum;
}

#endif
