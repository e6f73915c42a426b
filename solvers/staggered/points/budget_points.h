/* The contribution of a cell of fluid to the columns of the series (docs/methods/staggered.md eq. 49). */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_BUDGET_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_BUDGET_POINTS_H

#include "solvers/staggered/points/volume_points.h"

/* Integrals over the fluid, then a maximum: |curl u|^2/2 of edges, |grad u|^2, u_i^2/2 of each component; |div u|. */
enum {
  TRIAD_STAGGERED_BUDGET_ENSTROPHY,
  TRIAD_STAGGERED_BUDGET_GRADIENTS,
  TRIAD_STAGGERED_BUDGET_ENERGY,
  TRIAD_STAGGERED_BUDGET_SUMS = TRIAD_STAGGERED_BUDGET_ENERGY + 3,
  TRIAD_STAGGERED_BUDGET_DIVERGENCE = TRIAD_STAGGERED_BUDGET_SUMS,
  TRIAD_STAGGERED_BUDGET_NUMBERS
};

/* Half the square of component a of the vorticity: the mean over the four edges of a cell along a. */
TRIAD_POINT_INLINE double triad_staggered_edges(const int a, const triad_staggered_sizes *s,
                                                const triad_real *const u[3], int64_t at, const int64_t c[3])
{
  const int b = (a + 1) % 3, d = (a + 2) % 3;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const int up_b = i & 1, up_d = i >> 1;
    int64_t near[3];
    near[a] = c[a];
    near[b] = c[b] + (s->step[b] ? up_b : 0);
    near[d] = c[d] + (s->step[d] ? up_d : 0);
    const double w = (double)triad_staggered_vorticity(a, s, u, at + up_b * s->step[b] + up_d * s->step[d], near);
    sum += w * w / 8;
  }
  return sum;
}

/* One component's part, except for the volume of the enstrophy. */
TRIAD_POINT_INLINE void triad_staggered_budget_of(const int a, const triad_staggered_sizes *s,
                                                  const triad_real *const u[3], int64_t at, const int64_t c[3],
                                                  double out[TRIAD_STAGGERED_BUDGET_NUMBERS])
{
  const double volume = s->open[at] & TRIAD_STAGGERED_LOWER(a) ? triad_staggered_volume(s, a, c) : 0;
  out[TRIAD_STAGGERED_BUDGET_GRADIENTS] += volume * (double)triad_staggered_gradients(a, s, u[a], at, c);
  out[TRIAD_STAGGERED_BUDGET_ENERGY + a] += volume * (double)u[a][at] * (double)u[a][at] / 2;
}

TRIAD_POINT_INLINE void triad_staggered_budget(const triad_staggered_sizes *s, const triad_real *const u[3], int64_t at,
                                               const int64_t c[3], double out[TRIAD_STAGGERED_BUDGET_NUMBERS])
{
  if (s->open[at] & TRIAD_STAGGERED_SOLID) return;
  double *most = &out[TRIAD_STAGGERED_BUDGET_DIVERGENCE];
  const double edges = triad_staggered_edges(0, s, u, at, c) + triad_staggered_edges(1, s, u, at, c) +
                       triad_staggered_edges(2, s, u, at, c);
  out[TRIAD_STAGGERED_BUDGET_ENSTROPHY] += triad_staggered_volume(s, 3, c) * edges;
  triad_staggered_budget_of(0, s, u, at, c, out);
  triad_staggered_budget_of(1, s, u, at, c, out);
  triad_staggered_budget_of(2, s, u, at, c, out);
  *most = fmax(*most, fabs((double)triad_staggered_divergence(s, u, at, c)));
}

#endif
