/* States beyond a boundary, from the state at the point's mirror image inside and that at the last point inside. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_BOUNDARY_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_BOUNDARY_POINTS_H

#include "solvers/compressible/points/gas_points.h"

/* A boundary as kernels take it: `fixed` is the conserved state of an inflow. */
typedef struct triad_compressible_rule {
  int kind, axis; /* triad_compressible_side_kind */
  triad_real fixed[5], temperature, velocity[3];
} triad_compressible_rule;

/* A wall that the gas sticks to lies half way to the mirror image: the mean of both velocities is the wall's, and,
 * where it is isothermal, that of both temperatures (but no less than a tenth of the wall's). The pressure is
 * mirrored. */
TRIAD_POINT_INLINE void triad_compressible_wall(const triad_compressible_gas *g, const triad_compressible_rule *r,
                                                const triad_real in[5], triad_real out[5])
{
  triad_compressible_primitive q = triad_compressible_primitives(g, in[0], in[1], in[2], in[3], in[4]);
  triad_real p = in[0] * q.T * g->per_gamma, T = q.T;
  if (r->kind == TRIAD_COMPRESSIBLE_ISOTHERMAL) {
    T = 2 * r->temperature - T;
    T = T > TRIAD_R(0.1) * r->temperature ? T : TRIAD_R(0.1) * r->temperature;
  }
  triad_real u = 2 * r->velocity[0] - q.u, v = 2 * r->velocity[1] - q.v, w = 2 * r->velocity[2] - q.w;
  out[0] = r->kind == TRIAD_COMPRESSIBLE_ISOTHERMAL ? g->gamma * p / T : in[0];
  out[1] = out[0] * u;
  out[2] = out[0] * v;
  out[3] = out[0] * w;
  out[4] = p * g->per_gm1 + TRIAD_R(0.5) * out[0] * (u * u + v * v + w * w);
}

TRIAD_POINT_INLINE void triad_compressible_beyond(const triad_compressible_gas *g, const triad_compressible_rule *r,
                                                  const triad_real mirror[5], const triad_real last[5],
                                                  triad_real out[5])
{
  if (r->kind == TRIAD_COMPRESSIBLE_ADIABATIC || r->kind == TRIAD_COMPRESSIBLE_ISOTHERMAL) {
    triad_compressible_wall(g, r, mirror, out);
    return;
  }
  for (int f = 0; f < 5; f++)
    out[f] = r->kind == TRIAD_COMPRESSIBLE_INFLOW    ? r->fixed[f]
             : r->kind == TRIAD_COMPRESSIBLE_OUTFLOW ? last[f]
                                                     : mirror[f];
  if (r->kind == TRIAD_COMPRESSIBLE_REFLECTING) out[1 + r->axis] = -out[1 + r->axis];
}

#endif
