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

/* Gradient of a value at the lower face of the cell at b across an axis. step[i]: places from cell to cell along axis i; 0
 * along a flat one, which the loop leaves out. */
TRIAD_POINT_INLINE void triad_mb_gradient(const triad_mb_sight *m, const triad_real *value, int axis, const int64_t step[3],
                                          int64_t b, triad_real g[3])
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  const int64_t a = b - step[axis], next = b + step[axis];
  triad_real per = 2 / (m->volume[a] + m->volume[b]);
  for (int i = 0; i < 3; i++) {
    const triad_real *s = m->s[axis][i];
    g[i] = half * (value[b] * (s[b] + s[next]) - value[a] * (s[a] + s[b]));
  }
  for (int t = 0; t < 3; t++) {
    const int64_t up = step[t];
    if (t == axis || up == 0) continue;
    triad_real middle = value[a] + value[b], above = quarter * (middle + value[a + up] + value[b + up]);
    triad_real below = quarter * (middle + value[a - up] + value[b - up]);
    for (int i = 0; i < 3; i++) {
      const triad_real *s = m->s[t][i];
      g[i] += half * (above * (s[a + up] + s[b + up]) - below * (s[a] + s[b]));
    }
  }
  for (int i = 0; i < 3; i++) g[i] *= per;
}

/* What diffuses through the lower face of the cell at b, along the axis: to be taken from the inviscid flux. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_diffused(const triad_mb_sight *m, int axis, const int64_t step[3], int64_t b)
{
  const triad_real half = TRIAD_R(0.5), two_thirds = TRIAD_R(2) / TRIAD_R(3), zero = 0;
  const int64_t a = b - step[axis];
  triad_real gu[3], gv[3], gw[3], gt[3];
  triad_mb_gradient(m, m->value[0], axis, step, b, gu);
  triad_mb_gradient(m, m->value[1], axis, step, b, gv);
  triad_mb_gradient(m, m->value[2], axis, step, b, gw);
  triad_mb_gradient(m, m->value[3], axis, step, b, gt);
  triad_real mu = half * (m->viscosity[a] + m->viscosity[b]), div = two_thirds * (gu[0] + gv[1] + gw[2]);
  triad_real s[3] = {m->s[axis][0][b], m->s[axis][1][b], m->s[axis][2][b]};
  triad_real u = half * (m->value[0][a] + m->value[0][b]), v = half * (m->value[1][a] + m->value[1][b]);
  triad_real w = half * (m->value[2][a] + m->value[2][b]);
  triad_real xy = gu[1] + gv[0], xz = gu[2] + gw[0], yz = gv[2] + gw[1];
  triad_real x = mu * ((2 * gu[0] - div) * s[0] + xy * s[1] + xz * s[2]);
  triad_real y = mu * (xy * s[0] + (2 * gv[1] - div) * s[1] + yz * s[2]);
  triad_real z = mu * (xz * s[0] + yz * s[1] + (2 * gw[2] - div) * s[2]);
  triad_real heat = mu * m->conduction * (gt[0] * s[0] + gt[1] * s[1] + gt[2] * s[2]);
  return (triad_mb_flux){zero, x, y, z, u * x + v * y + w * z + heat};
}

#endif
