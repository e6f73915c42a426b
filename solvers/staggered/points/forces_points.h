/* The momentum that a moving face transfers to walls and solids: the flux out of the cell around it through closed
 * sides. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_FORCES_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_FORCES_POINTS_H

#include "solvers/staggered/points/staggered_points.h"

/* Is what is beyond a side of own cell c, one cell on along axis b, outside of the box? */
TRIAD_POINT_INLINE int triad_staggered_is_outside(const triad_staggered_sight *w, const int b, int upper, int64_t c)
{
  const int64_t place = w->begin[b] + c + (upper ? 1 : -1);
  return w->ends[b] && (place < 0 || place >= w->n[b]);
}

/* Momentum along a that leaves the cell around a face through its side along b, without the pressure's, times that
 * side's area. */
TRIAD_POINT_INLINE double triad_staggered_leaving(const triad_staggered_sight *w, const int a, const int b,
                                                  const int upper, const triad_real *const u[3], int64_t at,
                                                  const int64_t c[3], double *area)
{
  const triad_staggered_sizes *s = &w->sizes;
  const triad_real *v = u[a], *through = u[b];
  const int64_t t = upper ? s->step[b] : -s->step[b], below = s->step[a], over = upper ? t : 0;
  double mean = ((double)v[at] + (double)v[at + t]) / 2, flow, friction = (double)(v[at] - v[at + t]);
  if (b == a) {
    flow = mean;
    friction *= (double)s->per_h[a][upper ? c[a] : c[a] - 1];
  } else {
    const double lower_part = (double)(s->h[a][c[a] - 1] * through[at - below + over]);
    flow = (lower_part + (double)(s->h[a][c[a]] * through[at + over])) / 2 * (double)s->per_d[a][c[a]];
    friction *= (double)(s->per_d[b][upper ? c[b] + 1 : c[b]] * triad_staggered_nearness(s, at, below, t));
  }
  *area = 1;
  for (int i = 0; i < 3; i++)
    if (i != b) *area *= (double)(i == a ? s->d : s->h)[i][c[i]];
  return (upper ? flow : -flow) * mean + w->viscosity * friction;
}

/* What the faces of an own cell give to the walls across axis b: out[upper][2]. */
TRIAD_POINT_INLINE void triad_staggered_push_walls(const triad_staggered_sight *w, const int b,
                                                   const triad_real *const u[3], int64_t at, const int64_t c[3],
                                                   double out[4])
{
  for (int upper = 0; upper < 2; upper++) {
    if (!w->sizes.step[b] || !(w->wall[b] >> upper & 1) || !triad_staggered_is_outside(w, b, upper, c[b])) continue;
    for (int k = 0; k < 2; k++) {
      const int a = k < b ? k : k + 1;
      double area;
      if (!(w->sizes.open[at] & TRIAD_STAGGERED_LOWER(a))) continue;
      const double push = triad_staggered_leaving(w, a, b, upper, u, at, c, &area);
      out[2 * upper + k] += area * push;
    }
  }
}

/* Add the moment of a force along a on the side across b of the cell around a face: it acts at the middle of the side,
 * whose position along a itself does not count. */
TRIAD_POINT_INLINE void triad_staggered_turn(const triad_staggered_sight *w, const int a, const int b, const int upper,
                                             const int64_t c[3], double force, double moment[3])
{
  double arm[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const double *face = w->face[k] + c[k];
    if (k != a) arm[k] = (k == b ? face[upper] : (face[0] + face[1]) / 2) - w->centre[k];
  }
  moment[(a + 1) % 3] += arm[(a + 2) % 3] * force;
  moment[(a + 2) % 3] -= arm[(a + 1) % 3] * force;
}

/* What its lower face across axis a gives to solids: add the force along a and its moments. */
TRIAD_POINT_INLINE void triad_staggered_drag(const triad_staggered_sight *w, const int a, const triad_real *const u[3],
                                             const triad_real *p, int64_t at, const int64_t c[3], double *drag,
                                             double moment[3])
{
  const triad_staggered_sizes *s = &w->sizes;
  double sum = 0;
  if (!(s->open[at] & TRIAD_STAGGERED_LOWER(a))) return;
  for (int b = 0; b < 3; b++)
    for (int upper = 0; upper < 2; upper++) {
      const int64_t t = upper ? s->step[b] : -s->step[b];
      double area;
      if (!s->step[b] || (b != a && triad_staggered_is_outside(w, b, upper, c[b]))) continue;
      if (s->open[at + t] & TRIAD_STAGGERED_LOWER(a)) continue;
      /* along the face's own axis the next closed face may be the box's end */
      if (b == a && triad_staggered_is_outside(w, b, upper, c[b] - !upper)) continue;
      const double pressure = b != a ? 0 : upper ? (double)p[at] : -(double)p[at - s->step[a]];
      const double leaves = triad_staggered_leaving(w, a, b, upper, u, at, c, &area);
      const double force = area * (leaves + pressure);
      sum += force;
      triad_staggered_turn(w, a, b, upper, c, force, moment);
    }
  *drag += sum;
}

#endif
