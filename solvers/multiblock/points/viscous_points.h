/* Stress and conduction through a face: gradients by Green's theorem on a volume around the face, half of each of the
 * two cells. Its faces across the axis are at the centres of the cells, the others at edges, where four cells meet. The
 * volume is closed, so the mean of the two cells can be subtracted from all values. Sums of these differences need an
 * eighth less arithmetic, and a uniform field has no gradient. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_VISCOUS_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_VISCOUS_POINTS_H

#include "solvers/multiblock/points/multiblock_points.h"

/* Fields and metrics of a rank's parts. */
typedef struct triad_multiblock_sight {
  const triad_real *value[4]; /* u, v, w, T                           */
  const triad_real *viscosity;
  const triad_real *s[3][3], *volume;
  triad_real conduction; /* cp/Pr: conductivity over viscosity   */
} triad_multiblock_sight;

/* mu of temperature t: Sutherland's law, or a power where sutherland is 0. */
TRIAD_POINT triad_real triad_multiblock_viscosity(triad_real t, triad_real mu, triad_real reference, triad_real power,
                                                  triad_real sutherland)
{
  triad_real part = t * triad_gas_per(reference);
  if (sutherland > 0)
    return mu * part * triad_gas_root(part) * (reference + sutherland) * triad_gas_per(t + sutherland);
  return power > 0 || power < 0 ? mu * TRIAD_POW(part, power) : mu;
}

/* Gradients of u, v, w, T. */
typedef struct triad_multiblock_gradients {
  triad_gas_vector u, v, w, t;
} triad_multiblock_gradients;

/* Something of u, v, w, T: values, sums, differences. */
typedef struct triad_multiblock_four {
  triad_real u, v, w, t;
} triad_multiblock_four;

TRIAD_POINT_INLINE triad_multiblock_four triad_multiblock_four_at(const triad_real *const value[4], int64_t at)
{
  return (triad_multiblock_four){value[0][at], value[1][at], value[2][at], value[3][at]};
}

TRIAD_POINT_INLINE triad_multiblock_four triad_multiblock_plus(triad_multiblock_four a, triad_multiblock_four b)
{
  return (triad_multiblock_four){a.u + b.u, a.v + b.v, a.w + b.w, a.t + b.t};
}

TRIAD_POINT_INLINE triad_multiblock_four triad_multiblock_minus(triad_multiblock_four a, triad_multiblock_four b)
{
  return (triad_multiblock_four){a.u - b.u, a.v - b.v, a.w - b.w, a.t - b.t};
}

TRIAD_POINT_INLINE triad_gas_vector triad_multiblock_sum(triad_gas_vector a, triad_gas_vector b)
{
  return (triad_gas_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* g += value area */
TRIAD_POINT_INLINE triad_gas_vector triad_multiblock_more(triad_gas_vector g, triad_real value, triad_gas_vector area)
{
  return (triad_gas_vector){g.x + value * area.x, g.y + value * area.y, g.z + value * area.z};
}

TRIAD_POINT_INLINE void triad_multiblock_add_side(triad_multiblock_gradients *g, triad_multiblock_four by,
                                                  triad_gas_vector area)
{
  g->u = triad_multiblock_more(g->u, by.u, area);
  g->v = triad_multiblock_more(g->v, by.v, area);
  g->w = triad_multiblock_more(g->w, by.w, area);
  g->t = triad_multiblock_more(g->t, by.t, area);
}

/* What gradients at a face have before its sides: of the difference of the two cells beside it and the areas low,
 * here, up of the lower faces of the first cell, of the second, and of the next one along the axis. */
TRIAD_POINT_INLINE triad_multiblock_gradients triad_multiblock_across_face(triad_multiblock_four first,
                                                                           triad_multiblock_four second,
                                                                           triad_gas_vector low, triad_gas_vector here,
                                                                           triad_gas_vector up)
{
  const triad_real two = 2;
  const triad_gas_vector area = {low.x + up.x + two * here.x, low.y + up.y + two * here.y, low.z + up.z + two * here.z};
  const triad_multiblock_four d = triad_multiblock_minus(second, first),
                              by = {two * d.u, two * d.v, two * d.w, two * d.t};
  return (triad_multiblock_gradients){{by.u * area.x, by.u * area.y, by.u * area.z},
                                      {by.v * area.x, by.v * area.y, by.v * area.z},
                                      {by.w * area.x, by.w * area.y, by.w * area.z},
                                      {by.t * area.x, by.t * area.y, by.t * area.z}};
}

/* What both sides across axis t add, to the volume about the face between a and b; twice: the sum of these two. */
TRIAD_POINT_INLINE void triad_multiblock_sides(const triad_multiblock_sight *m, int t, int64_t up, int64_t a, int64_t b,
                                               triad_multiblock_four twice, triad_multiblock_gradients *g)
{
  const triad_real *const *value = m->value, *const *s = m->s[t];
  const triad_multiblock_four above = triad_multiblock_plus(triad_multiblock_four_at(value, a + up),
                                                            triad_multiblock_four_at(value, b + up)),
                              below = triad_multiblock_plus(triad_multiblock_four_at(value, a - up),
                                                            triad_multiblock_four_at(value, b - up));
  triad_multiblock_add_side(
    g, triad_multiblock_minus(above, twice),
    triad_multiblock_sum(triad_multiblock_vector_at(s, a + up), triad_multiblock_vector_at(s, b + up)));
  triad_multiblock_add_side(g, triad_multiblock_minus(twice, below),
                            triad_multiblock_sum(triad_multiblock_vector_at(s, a), triad_multiblock_vector_at(s, b)));
}

/* Gradients times four times the sum of the volumes of the two cells beside a face, at the lower face of the cell at
 * b across an axis. step[i]: places from cell to cell along axis i; flat: the axis that is left out (zones.h).
 *   4 (V_a + V_b) grad q = 2 (q_b - q_a) (S_a + 2 S_b + S_c) + sum over sides (q_a' + q_b' - q_a - q_b) (S_a' +
 *   S_b'),
 * S_a, S_b, S_c being the lower faces of the cells at a, b and the next one along the axis, a' and b' the cells
 * beyond a side. */
TRIAD_POINT_INLINE triad_multiblock_gradients triad_multiblock_gradients_of(const triad_multiblock_sight *m, int axis,
                                                                            int flat, const int64_t step[3], int64_t b)
{
  const int64_t a = b - step[axis];
  const triad_multiblock_four first = triad_multiblock_four_at(m->value, a),
                              second = triad_multiblock_four_at(m->value, b),
                              twice = triad_multiblock_plus(first, second);
  const triad_real *const *s = m->s[axis];
  triad_multiblock_gradients g =
    triad_multiblock_across_face(first, second, triad_multiblock_vector_at(s, a), triad_multiblock_vector_at(s, b),
                                 triad_multiblock_vector_at(s, b + step[axis]));
  if (axis != 0 && flat != 0) triad_multiblock_sides(m, 0, step[0], a, b, twice, &g);
  if (axis != 1 && flat != 1) triad_multiblock_sides(m, 1, step[1], a, b, twice, &g);
  if (axis != 2 && flat != 2) triad_multiblock_sides(m, 2, step[2], a, b, twice, &g);
  return g;
}

/* Stress and conduction through a face with area vector s: of such gradients, and sums of the two cells' values,
 * viscosities and volumes; conduction: cp/Pr. */
TRIAD_POINT_INLINE triad_gas_flux triad_multiblock_stress(triad_multiblock_gradients g, triad_gas_vector s,
                                                          triad_multiblock_four twice, triad_real viscosities,
                                                          triad_real volumes, triad_real conduction)
{
  const triad_real half = TRIAD_R(0.5), eighth = TRIAD_R(0.125), two_thirds = TRIAD_R(2) / TRIAD_R(3), zero = 0;
  triad_real mu = eighth * viscosities * triad_gas_per(volumes); /* the mean, over four times the volumes */
  triad_real u = half * twice.u, v = half * twice.v, w = half * twice.w, div = two_thirds * (g.u.x + g.v.y + g.w.z);
  triad_real xy = g.u.y + g.v.x, xz = g.u.z + g.w.x, yz = g.v.z + g.w.y;
  triad_real x = mu * ((2 * g.u.x - div) * s.x + xy * s.y + xz * s.z);
  triad_real y = mu * (xy * s.x + (2 * g.v.y - div) * s.y + yz * s.z);
  triad_real z = mu * (xz * s.x + yz * s.y + (2 * g.w.z - div) * s.z);
  triad_real heat = mu * conduction * triad_gas_dot(g.t, s);
  return (triad_gas_flux){zero, x, y, z, u * x + v * y + w * z + heat};
}

/* What diffuses through the lower face of the cell at b, along the axis: to be taken from the inviscid flux. */
TRIAD_POINT_INLINE triad_gas_flux triad_multiblock_diffused(const triad_multiblock_sight *m, int axis, int flat,
                                                            const int64_t step[3], int64_t b)
{
  const int64_t a = b - step[axis];
  return triad_multiblock_stress(
    triad_multiblock_gradients_of(m, axis, flat, step, b), triad_multiblock_vector_at(m->s[axis], b),
    triad_multiblock_plus(triad_multiblock_four_at(m->value, a), triad_multiblock_four_at(m->value, b)),
    m->viscosity[a] + m->viscosity[b], m->volume[a] + m->volume[b], m->conduction);
}

#endif
