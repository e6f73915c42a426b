/* Where upwind fluxes are wanted: the sensor of hybrid fluxes. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_SHOCK_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_SHOCK_POINTS_H

#include "solvers/compressible/points/flux_points.h"

/* Beyond these a cell counts as shocked: the part of the dilatation in the velocity's gradients (Ducros et al. 1999,
 * J. Comput. Phys. 152, 517, eq. 11); and the second difference of density or pressure along the axis, over four
 * times their mean, which finds contacts too (Jameson, Schmidt and Turkel 1981, AIAA paper 81-1259). */
#define TRIAD_COMPRESSIBLE_DUCROS TRIAD_R(0.5)
#define TRIAD_COMPRESSIBLE_JUMP TRIAD_R(0.01)
/* A dilatation below this part of c/h is sound that any scheme takes. */
#define TRIAD_COMPRESSIBLE_FAINT TRIAD_R(0.02)

/* 1 for a cell that is shocked, else 0. d2: square of the dilatation; w2: of the vorticity; faint2: of
 * TRIAD_COMPRESSIBLE_FAINT c/h; r[] and p[]: density and pressure of the cell between its neighbours along the axis. */
TRIAD_POINT_INLINE triad_real triad_compressible_shocked(triad_real d2, triad_real w2, triad_real faint2,
                                                         const triad_real r[3], const triad_real p[3])
{
  triad_real jump_r = TRIAD_ABS(r[2] - 2 * r[1] + r[0]) - TRIAD_COMPRESSIBLE_JUMP * (r[2] + 2 * r[1] + r[0]);
  triad_real jump_p = TRIAD_ABS(p[2] - 2 * p[1] + p[0]) - TRIAD_COMPRESSIBLE_JUMP * (p[2] + 2 * p[1] + p[0]);
  triad_real part = d2 - TRIAD_COMPRESSIBLE_DUCROS * (d2 + w2 + faint2);
  return triad_max(part, triad_max(jump_r, jump_p)) > 0 ? TRIAD_R(1) : TRIAD_R(0);
}

/* What the sensor of a sweep knows of the grid: from point to point along x, y, z, 0 on an axis of one point, and
 * along the sweep's axis; halves of 1/spacing; (TRIAD_COMPRESSIBLE_FAINT/h)^2 of the largest spacing. */
typedef struct triad_compressible_sensor {
  int64_t x, y, z, along;
  triad_real per_x, per_y, per_z, faint2;
} triad_compressible_sensor;

static inline triad_compressible_sensor triad_compressible_sensor_of(const int64_t halo[3], const int64_t stride[3],
                                                                     const triad_real per_spacing[3], int axis)
{
  int64_t s[3];
  triad_real least = 0;
  for (int i = 0; i < 3; i++) {
    s[i] = halo[i] > 0 ? stride[i] : 0;
    if (s[i] > 0 && (least <= 0 || per_spacing[i] < least)) least = per_spacing[i];
  }
  const triad_real half = TRIAD_R(0.5);
  triad_compressible_sensor of = {s[0],
                                  s[1],
                                  s[2],
                                  stride[axis],
                                  half * per_spacing[0],
                                  half * per_spacing[1],
                                  half * per_spacing[2],
                                  TRIAD_COMPRESSIBLE_FAINT * TRIAD_COMPRESSIBLE_FAINT * least * least};
  return of;
}

/* triad_compressible_shocked of the cell that these point to: u, v, w, T and the density. */
TRIAD_POINT_INLINE triad_real triad_compressible_shocked_at(triad_compressible_sensor s, const triad_real *u,
                                                            const triad_real *v, const triad_real *w,
                                                            const triad_real *T, const triad_real *r)
{
  const triad_real d = s.per_x * (u[s.x] - u[-s.x]) + s.per_y * (v[s.y] - v[-s.y]) + s.per_z * (w[s.z] - w[-s.z]);
  const triad_real a = s.per_y * (w[s.y] - w[-s.y]) - s.per_z * (v[s.z] - v[-s.z]);
  const triad_real b = s.per_z * (u[s.z] - u[-s.z]) - s.per_x * (w[s.x] - w[-s.x]);
  const triad_real c = s.per_x * (v[s.x] - v[-s.x]) - s.per_y * (u[s.y] - u[-s.y]);
  const triad_real rho[3] = {r[-s.along], r[0], r[s.along]};
  const triad_real p[3] = {rho[0] * T[-s.along], rho[1] * T[0], rho[2] * T[s.along]};
  return triad_compressible_shocked(d * d, a * a + b * b + c * c, s.faint2 * T[0], rho, p);
}

#endif
