/* Stress and conduction through a face: gradients by Green's theorem on a volume about the face, made of half of each of the
 * two cells. Its own faces across the axis stand in the cells' middles, the others at edges, where four cells meet. The volume
 * is closed, so that the mean of the two cells may be taken from all values: differences to it are what is added up, which takes
 * a fifth of the arithmetic less, and leaves what is the same everywhere without gradient. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_VISCOUS_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_VISCOUS_POINTS_H

#include "solvers/multiblock/multiblock_points.h"

/* Fields and metrics of a rank's parts. */
typedef struct triad_mb_sight {
  const triad_real *value[4]; /* u, v, w, T                           */
  const triad_real *viscosity;
  const triad_real *s[3][3], *volume;
  triad_real conduction;      /* cp/Pr: conductivity over viscosity   */
} triad_mb_sight;

/* mu of temperature t: Sutherland's law, or a power where sutherland is 0. */
TRIAD_POINT triad_real triad_mb_viscosity(triad_real t, triad_real mu, triad_real reference, triad_real power,
                                          triad_real sutherland)
{
  triad_real part = t * triad_mb_per(reference);
  if (sutherland > 0) return mu * part * triad_mb_root(part) * (reference + sutherland) * triad_mb_per(t + sutherland);
  return power > 0 || power < 0 ? mu * TRIAD_POW(part, power) : mu;
}

/* Gradients of u, v, w, T. */
typedef struct triad_mb_gradients {
  triad_mb_vector u, v, w, t;
} triad_mb_gradients;

/* g += value area */
TRIAD_POINT_INLINE triad_mb_vector triad_mb_more(triad_mb_vector g, triad_real value, triad_mb_vector area)
{
  return (triad_mb_vector){g.x + value * area.x, g.y + value * area.y, g.z + value * area.z};
}

/* Sum of the area vectors of two faces, lower ones of the cells at a and b across an axis. */
TRIAD_POINT_INLINE triad_mb_vector triad_mb_areas(const triad_mb_sight *m, int axis, int64_t a, int64_t b)
{
  const triad_real *x = m->s[axis][0], *y = m->s[axis][1], *z = m->s[axis][2];
  return (triad_mb_vector){x[a] + x[b], y[a] + y[b], z[a] + z[b]};
}

/* Twice the means of the two cells beside a face, of u, v, w, T. */
typedef struct triad_mb_means {
  triad_real u, v, w, t;
} triad_mb_means;

/* What a side adds, with area vectors S and S' of two faces and four cells at its edge: the sum of those two at `a` and `b` less
 * that of the two beside the face, times S + S', which sign turns outwards. */
TRIAD_POINT_INLINE void triad_mb_side_of(const triad_mb_sight *m, int64_t a, int64_t b, triad_mb_means twice,
                                         triad_mb_vector area, triad_real sign, triad_mb_gradients *g)
{
  const triad_real *u = m->value[0], *v = m->value[1], *w = m->value[2], *t = m->value[3];
  g->u = triad_mb_more(g->u, sign * (u[a] + u[b] - twice.u), area);
  g->v = triad_mb_more(g->v, sign * (v[a] + v[b] - twice.v), area);
  g->w = triad_mb_more(g->w, sign * (w[a] + w[b] - twice.w), area);
  g->t = triad_mb_more(g->t, sign * (t[a] + t[b] - twice.t), area);
}

/* What both sides across axis t add, to the volume about the face between a and b. */
TRIAD_POINT_INLINE void triad_mb_sides(const triad_mb_sight *m, int t, int64_t up, int64_t a, int64_t b,
                                       triad_mb_means twice, triad_mb_gradients *g)
{
  triad_mb_side_of(m, a + up, b + up, twice, triad_mb_areas(m, t, a + up, b + up), TRIAD_R(1), g);
  triad_mb_side_of(m, a - up, b - up, twice, triad_mb_areas(m, t, a, b), TRIAD_R(-1), g);
}

/* Gradients times four times the sum of the volumes of the two cells beside a face, at the lower face of the cell at b across an
 * axis. step[i]: places from cell to cell along axis i; flat: the axis that is left out (zones.h).
 *   4 (V_a + V_b) grad q = 2 (q_b - q_a) (S_a + 2 S_b + S_c) + sum over sides (q_a' + q_b' - q_a - q_b) (S_a' + S_b'),
 * S_a, S_b, S_c being the lower faces of the cells at a, b and the next one along the axis, a' and b' the cells beyond a side. */
TRIAD_POINT_INLINE triad_mb_gradients triad_mb_gradients_of(const triad_mb_sight *m, int axis, int flat,
                                                            const int64_t step[3], int64_t b)
{
  const int64_t a = b - step[axis];
  const triad_real *u = m->value[0], *v = m->value[1], *w = m->value[2], *t = m->value[3], two = 2;
  const triad_mb_vector ends = triad_mb_areas(m, axis, a, b + step[axis]),
                        area = {ends.x + two * m->s[axis][0][b], ends.y + two * m->s[axis][1][b],
                                ends.z + two * m->s[axis][2][b]};
  const triad_mb_means twice = {u[a] + u[b], v[a] + v[b], w[a] + w[b], t[a] + t[b]},
                       across = {two * (u[b] - u[a]), two * (v[b] - v[a]), two * (w[b] - w[a]), two * (t[b] - t[a])};
  triad_mb_gradients g = {{across.u * area.x, across.u * area.y, across.u * area.z},
                          {across.v * area.x, across.v * area.y, across.v * area.z},
                          {across.w * area.x, across.w * area.y, across.w * area.z},
                          {across.t * area.x, across.t * area.y, across.t * area.z}};
  if (axis != 0 && flat != 0) triad_mb_sides(m, 0, step[0], a, b, twice, &g);
  if (axis != 1 && flat != 1) triad_mb_sides(m, 1, step[1], a, b, twice, &g);
  if (axis != 2 && flat != 2) triad_mb_sides(m, 2, step[2], a, b, twice, &g);
  return g;
}

/* What diffuses through the lower face of the cell at b, along the axis: to be taken from the inviscid flux. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_diffused(const triad_mb_sight *m, int axis, int flat, const int64_t step[3],
                                                   int64_t b)
{
  const triad_real half = TRIAD_R(0.5), eighth = TRIAD_R(0.125), two_thirds = TRIAD_R(2) / TRIAD_R(3), zero = 0;
  const int64_t a = b - step[axis];
  const triad_mb_gradients g = triad_mb_gradients_of(m, axis, flat, step, b);
  const triad_mb_vector s = {m->s[axis][0][b], m->s[axis][1][b], m->s[axis][2][b]};
  /* the mean, over four times the volumes */
  triad_real mu = eighth * (m->viscosity[a] + m->viscosity[b]) * triad_mb_per(m->volume[a] + m->volume[b]);
  triad_real u = half * (m->value[0][a] + m->value[0][b]), v = half * (m->value[1][a] + m->value[1][b]);
  triad_real w = half * (m->value[2][a] + m->value[2][b]), div = two_thirds * (g.u.x + g.v.y + g.w.z);
  triad_real xy = g.u.y + g.v.x, xz = g.u.z + g.w.x, yz = g.v.z + g.w.y;
  triad_real x = mu * ((2 * g.u.x - div) * s.x + xy * s.y + xz * s.z);
  triad_real y = mu * (xy * s.x + (2 * g.v.y - div) * s.y + yz * s.z);
  triad_real z = mu * (xz * s.x + yz * s.y + (2 * g.w.z - div) * s.z);
  triad_real heat = mu * m->conduction * triad_mb_dot(g.t, s);
  return (triad_mb_flux){zero, x, y, z, u * x + v * y + w * z + heat};
}

#endif
