/* Stress and conduction through a face: gradients by Green's theorem on a volume about the face, made of half of each of the
 * two cells. Its own faces across the axis stand in the cells' middles, the others at edges, where four cells meet. */
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
  triad_real part = t / reference;
  if (sutherland > 0) return mu * part * TRIAD_SQRT(part) * (reference + sutherland) / (t + sutherland);
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

/* Twice the area vector between the middles of two faces, lower ones of the cells at a and b across an axis. */
TRIAD_POINT_INLINE triad_mb_vector triad_mb_middle_area(const triad_mb_sight *m, int axis, int64_t a, int64_t b)
{
  const triad_real *x = m->s[axis][0], *y = m->s[axis][1], *z = m->s[axis][2];
  return (triad_mb_vector){x[a] + x[b], y[a] + y[b], z[a] + z[b]};
}

/* Mean of four cells that meet at an edge. */
TRIAD_POINT_INLINE triad_real triad_mb_beside(const triad_real *q, int64_t a, int64_t b, int64_t step)
{
  const triad_real quarter = TRIAD_R(0.25);
  return quarter * (q[a] + q[b] + q[a + step] + q[b + step]);
}

/* What sides across axis t of the volume about the face between a and b add. */
TRIAD_POINT_INLINE void triad_mb_sides(const triad_mb_sight *m, int t, int64_t up, int64_t a, int64_t b, triad_mb_gradients *g)
{
  triad_mb_vector area = triad_mb_middle_area(m, t, a + up, b + up);
  g->u = triad_mb_more(g->u, triad_mb_beside(m->value[0], a, b, up), area);
  g->v = triad_mb_more(g->v, triad_mb_beside(m->value[1], a, b, up), area);
  g->w = triad_mb_more(g->w, triad_mb_beside(m->value[2], a, b, up), area);
  g->t = triad_mb_more(g->t, triad_mb_beside(m->value[3], a, b, up), area);
  area = triad_mb_middle_area(m, t, a, b);
  g->u = triad_mb_more(g->u, -triad_mb_beside(m->value[0], a, b, -up), area);
  g->v = triad_mb_more(g->v, -triad_mb_beside(m->value[1], a, b, -up), area);
  g->w = triad_mb_more(g->w, -triad_mb_beside(m->value[2], a, b, -up), area);
  g->t = triad_mb_more(g->t, -triad_mb_beside(m->value[3], a, b, -up), area);
}

/* Gradients times the sum of the volumes of the two cells beside a face, at the lower face of the cell at b across an axis. step[i]:
 * places from cell to cell along axis i; flat: the axis that is left out (zones.h). */
TRIAD_POINT_INLINE triad_mb_gradients triad_mb_gradients_of(const triad_mb_sight *m, int axis, int flat, const int64_t step[3],
                                                            int64_t b)
{
  const triad_mb_vector zero = {0, 0, 0};
  const int64_t a = b - step[axis];
  triad_mb_gradients g = {zero, zero, zero, zero};
  triad_mb_vector area = triad_mb_middle_area(m, axis, b, b + step[axis]);
  g.u = triad_mb_more(g.u, m->value[0][b], area);
  g.v = triad_mb_more(g.v, m->value[1][b], area);
  g.w = triad_mb_more(g.w, m->value[2][b], area);
  g.t = triad_mb_more(g.t, m->value[3][b], area);
  area = triad_mb_middle_area(m, axis, a, b);
  g.u = triad_mb_more(g.u, -m->value[0][a], area);
  g.v = triad_mb_more(g.v, -m->value[1][a], area);
  g.w = triad_mb_more(g.w, -m->value[2][a], area);
  g.t = triad_mb_more(g.t, -m->value[3][a], area);
  if (axis != 0 && flat != 0) triad_mb_sides(m, 0, step[0], a, b, &g);
  if (axis != 1 && flat != 1) triad_mb_sides(m, 1, step[1], a, b, &g);
  if (axis != 2 && flat != 2) triad_mb_sides(m, 2, step[2], a, b, &g);
  return g;
}

/* What diffuses through the lower face of the cell at b, along the axis: to be taken from the inviscid flux. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_diffused(const triad_mb_sight *m, int axis, int flat, const int64_t step[3],
                                                   int64_t b)
{
  const triad_real half = TRIAD_R(0.5), two_thirds = TRIAD_R(2) / TRIAD_R(3), zero = 0;
  const int64_t a = b - step[axis];
  const triad_mb_gradients g = triad_mb_gradients_of(m, axis, flat, step, b);
  const triad_mb_vector s = {m->s[axis][0][b], m->s[axis][1][b], m->s[axis][2][b]};
  /* half of the areas, and one over the mean of the volumes */
  triad_real mu = half * (m->viscosity[a] + m->viscosity[b]) * triad_mb_per(m->volume[a] + m->volume[b]);
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
