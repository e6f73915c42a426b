/* Operations of a stage on one face between cells and on one cell, on any device. Read transport_points.h first, then
 * view.h; outer faces are in outer_points.h. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_LOOPS_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_LOOPS_POINTS_H

#include "solvers/unstructured/points/slope_points.h"

/* ---- fluxes ---- */

typedef enum triad_unstructured_high {
  TRIAD_UNSTRUCTURED_NO_HIGH,
  TRIAD_UNSTRUCTURED_CENTRAL,
  TRIAD_UNSTRUCTURED_LINEAR
} triad_unstructured_high;

/* At a face that lies `from` off the cell's centre. */
TRIAD_POINT_INLINE void triad_unstructured_at_face(const triad_unstructured_view *v, int64_t cell,
                                                   const triad_real from[3], triad_real out[5])
{
  triad_real q[5], g[5][3];
  triad_unstructured_load(&v->value, cell, 5, q);
  triad_unstructured_load(&v->gradient, cell, 15, &g[0][0]);
  triad_unstructured_reconstruct(q, (const triad_real(*)[3])g, from, out);
}

/* The mean of both sides' fluxes. */
TRIAD_POINT_INLINE void triad_unstructured_central(const triad_gas_constants *g, const triad_real l[5],
                                                   const triad_real r[5], const triad_real n[3], triad_real f[5])
{
  triad_real other[5];
  triad_gas_values_flux(g, l, n, f);
  triad_gas_values_flux(g, r, n, other);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) f[k] = TRIAD_R(0.5) * (f[k] + other[k]);
}

/* The low-order flux of a face between cells l and r, where `is`, and its fastest wave, where `low`; and by how much
 * the high-order one is more. low, riemann and high are known when it is compiled. */
TRIAD_POINT_INLINE void triad_unstructured_fluxes_between(const triad_unstructured_view *v, int64_t face,
                                                          const triad_unstructured_face *is, int64_t l, int64_t r,
                                                          int low, triad_gas_riemann riemann, int high)
{
  triad_real g[4] = {is->n[0], is->n[1], is->n[2], is->area}, ql[6], qr[6], f[5], lower[5];
  if (low || high == TRIAD_UNSTRUCTURED_CENTRAL) {
    triad_unstructured_load(&v->value, l, 6, ql);
    triad_unstructured_load(&v->value, r, 6, qr);
  }
  if (low) {
    const triad_real sl = TRIAD_ABS(triad_gas_dot3(ql + 1, g)) + ql[5],
                     sr = TRIAD_ABS(triad_gas_dot3(qr + 1, g)) + qr[5];
    const triad_real speed = triad_max(sl, sr);
    triad_gas_values_between(riemann, &v->gas, ql, qr, speed, g, f);
    v->speed[face] = g[3] * speed;
    TRIAD_UNSTRUCTURED_UNROLL
    for (int k = 0; k < 5; k++) lower[k] = g[3] * f[k];
    triad_unstructured_store(&v->low, face, 5, lower);
  } else {
    triad_unstructured_load(&v->low, face, 5, lower);
  }
  if (high == TRIAD_UNSTRUCTURED_NO_HIGH) return;
  if (high == TRIAD_UNSTRUCTURED_LINEAR) {
    triad_unstructured_at_face(v, l, is->from[0], ql);
    triad_unstructured_at_face(v, r, is->from[1], qr);
    triad_gas_values_hllc(&v->gas, ql, qr, g, f);
  } else {
    triad_unstructured_central(&v->gas, ql, qr, g, f);
  }
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) f[k] = g[3] * f[k] - lower[k];
  triad_unstructured_store(&v->anti, face, 5, f);
}

/* The fluxes of a face with stored geometry. */
TRIAD_POINT_INLINE void triad_unstructured_face_fluxes(const triad_unstructured_view *v, int64_t face, int64_t l,
                                                       int64_t r, int low, triad_gas_riemann riemann, int high)
{
  triad_unstructured_face is;
  triad_unstructured_load_face(v, face, &is);
  triad_unstructured_fluxes_between(v, face, &is, l, r, low, riemann, high);
}

/* ---- fluxes to cells ---- */

TRIAD_POINT_INLINE void triad_unstructured_add_speed(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                     int64_t at, int s, triad_real *sum)
{
  triad_real sign;
  *sum += v->speed[triad_unstructured_face_at(v, zone, at, s, &sign)];
}

TRIAD_POINT_INLINE void triad_unstructured_add_low(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                   int64_t at, int s, triad_real *sum, int step)
{
  triad_real sign;
  const int64_t face = triad_unstructured_face_at(v, zone, at, s, &sign);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) sum[k * step] += sign * v->low.at[k * v->low.pitch + face];
}

/* All of low and anti, where there is no limiter. */
TRIAD_POINT_INLINE void triad_unstructured_add_anti_at(const triad_unstructured_view *v, int64_t face, triad_real sign,
                                                       triad_real *sum, int step)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) sum[k * step] += sign * v->anti.at[k * v->anti.pitch + face];
}

/* Bounds of density and pressure at a cell: those of the state u, and transported and diffused t, the latter with
 * slack: what overshoots is diffused by more than that, so that steps do not add it up. */
TRIAD_POINT_INLINE void triad_unstructured_own_bounds_of(const triad_unstructured_view *v, int64_t cell, triad_real rho,
                                                         triad_real p, const triad_real t[5])
{
  triad_real q[5];
  triad_gas_values_primitive(&v->gas, t, q);
  const triad_real more = 1 + v->slack, less = 1 - v->slack;
  const triad_real b[4] = {triad_max(rho, q[0] * more), triad_max(-rho, -q[0] * less), triad_max(p, q[4] * more),
                           triad_max(-p, -q[4] * less)};
  triad_unstructured_store(&v->bound, cell, 4, b);
}

TRIAD_POINT_INLINE void triad_unstructured_own_bounds(const triad_unstructured_view *v, int64_t cell,
                                                      const triad_real u[5], const triad_real t[5])
{
  triad_real q[5];
  triad_gas_values_primitive(&v->gas, u, q);
  triad_unstructured_own_bounds_of(v, cell, q[0], q[4], t);
}

/* td = u - scale sum */
TRIAD_POINT_INLINE void triad_unstructured_transported_by(const triad_unstructured_view *v, int64_t cell,
                                                          triad_real scale, int bounded, const triad_real *sum,
                                                          int step)
{
  triad_real u[5], t[5];
  triad_unstructured_load(&v->u, cell, 5, u);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) t[k] = u[k] - scale * sum[k * step];
  triad_unstructured_store(&v->td, cell, 5, t);
  if (bounded) triad_unstructured_own_bounds(v, cell, u, t);
}

/* The same, of a cell whose density and pressure at the start of the step are known. */
TRIAD_POINT_INLINE void triad_unstructured_transported_from(const triad_unstructured_view *v, int64_t cell,
                                                            triad_real scale, int bounded, triad_real rho, triad_real p,
                                                            const triad_real sum[5])
{
  triad_real u[5], t[5];
  triad_unstructured_load(&v->u, cell, 5, u);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) t[k] = u[k] - scale * sum[k];
  triad_unstructured_store(&v->td, cell, 5, t);
  if (bounded) triad_unstructured_own_bounds_of(v, cell, rho, p, t);
}

/* td = u - dt/V sum */
TRIAD_POINT_INLINE void triad_unstructured_transported(const triad_unstructured_view *v, int64_t cell, triad_real dt,
                                                       int bounded, const triad_real *sum, int step)
{
  triad_unstructured_transported_by(v, cell, dt * v->per_volume[cell], bounded, sum, step);
}

/* ---- limits ---- */

TRIAD_POINT_INLINE void triad_unstructured_widen_by(const triad_unstructured_view *v, int64_t near, triad_real *b,
                                                    int step)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 4; k++) b[k * step] = triad_max(b[k * step], v->bound.at[k * v->bound.pitch + near]);
}

TRIAD_POINT_INLINE void triad_unstructured_widen(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                 int64_t at, int s, triad_real *b, int step)
{
  triad_unstructured_widen_by(v, triad_unstructured_near(v, zone, at, s), b, step);
}

/* Inputs for the sums of antidiffusive fluxes over a cell's sides: velocity of td, n over the smallest
 * density, dt/V. */
TRIAD_POINT_INLINE void triad_unstructured_before_limits(const triad_unstructured_view *v, int64_t cell, triad_real n,
                                                         triad_real dt, const triad_real *b, triad_real *own, int step)
{
  const triad_real rho = v->td.at[cell], per_rho = 1 / rho;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) own[a * step] = v->td.at[(1 + a) * v->td.pitch + cell] * per_rho;
  own[3 * step] = n / triad_min(-b[step], rho);
  own[4 * step] = dt * v->per_volume[cell];
}

/* The change of a cell by the antidiffusive flux of a face, which leaves the cell if sign is 1; the change is added to
 * the sums. */
TRIAD_POINT_INLINE triad_unstructured_change triad_unstructured_add_change(const triad_unstructured_view *v,
                                                                           int64_t face, triad_real sign,
                                                                           const triad_real *own, triad_real *sum,
                                                                           int step)
{
  triad_real d[5];
  triad_unstructured_change c;
  const triad_real velocity[3] = {own[0], own[step], own[2 * step]}, scale = -sign * own[4 * step];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) d[k] = scale * v->anti.at[k * v->anti.pitch + face];
  c.density = d[0];
  triad_unstructured_pressure_change(&v->gas, velocity, d, own[3 * step], &c.first, &c.second);
  sum[0] += triad_max(c.density, 0);
  sum[step] += triad_max(-c.density, 0);
  sum[2 * step] += triad_max(c.first, 0);
  sum[3 * step] += triad_max(c.second - c.first, 0);
  return c;
}

/* Density and pressure of td. */
TRIAD_POINT_INLINE void triad_unstructured_transported_gas(const triad_unstructured_view *v, int64_t cell,
                                                           const triad_real *own, int step, triad_real gas[2])
{
  triad_real t[5];
  triad_unstructured_load(&v->td, cell, 5, t);
  gas[0] = t[0];
  gas[1] = v->gas.gm1 * (t[4] - TRIAD_R(0.5) * (t[1] * own[0] + t[2] * own[step] + t[3] * own[2 * step]));
}

/* The largest pressure change that is mere rounding, for a cell with n sides and pressure p. */
TRIAD_POINT_INLINE triad_real triad_unstructured_still(triad_real p, triad_real n)
{
  return TRIAD_UNSTRUCTURED_ROUNDING * p / n;
}

/* Zalesak's factors for the sums of rises and falls of density, then of pressure, within bounds b. */
TRIAD_POINT_INLINE void triad_unstructured_rooms(const triad_real gas[2], const triad_real *b, const triad_real *sum,
                                                 int step, triad_real out[4])
{
  out[0] = triad_unstructured_room(b[0] - gas[0], sum[0]);
  out[1] = triad_unstructured_room(gas[0] + b[step], sum[step]);
  out[2] = triad_unstructured_room(b[2 * step] - gas[1], sum[2 * step]);
  out[3] = triad_unstructured_room(gas[1] + b[3 * step], sum[3 * step]);
}

/* Store the limits of a cell. */
TRIAD_POINT_INLINE void triad_unstructured_keep_limits(const triad_unstructured_view *v, int64_t cell,
                                                       const triad_real room[4], const triad_real *own,
                                                       triad_real still, int step)
{
  const triad_real out[TRIAD_UNSTRUCTURED_LIMITS] = {room[0],   room[1],       room[2],       room[3], own[0],
                                                     own[step], own[2 * step], own[3 * step], still};
  triad_unstructured_store(&v->limit, cell, TRIAD_UNSTRUCTURED_LIMITS, out);
}

TRIAD_POINT_INLINE void triad_unstructured_set_limits(const triad_unstructured_view *v, int64_t cell, triad_real n,
                                                      const triad_real *b, const triad_real *own, const triad_real *sum,
                                                      int step)
{
  triad_real gas[2], room[4];
  triad_unstructured_transported_gas(v, cell, own, step, gas);
  triad_unstructured_rooms(gas, b, sum, step, room);
  triad_unstructured_keep_limits(v, cell, room, own, triad_unstructured_still(gas[1], n), step);
}

/* ---- the correction ---- */

/* The limiter factor of this cell for a face's antidiffusive flux a, which leaves the cell if sign is
 * 1. scale: dt/V. */
TRIAD_POINT_INLINE triad_real triad_unstructured_part_of(const triad_unstructured_view *v, int limited, int64_t cell,
                                                         triad_real scale, triad_real sign, const triad_real a[5])
{
  triad_real l[TRIAD_UNSTRUCTURED_LIMITS], in[5];
  triad_unstructured_load(&v->limit, cell, TRIAD_UNSTRUCTURED_LIMITS, l);
  const triad_unstructured_limits limits = {{l[0], l[2]}, {l[1], l[3]}, {l[4], l[5], l[6]}, l[7], scale, l[8]};
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) in[k] = -sign * a[k];
  return triad_unstructured_part(&v->gas, &limits, in, limited);
}

/* The limiter factor of a face: the minimum over both cells, which both sides compute equally. */
TRIAD_POINT_INLINE triad_real triad_unstructured_kept_part(const triad_unstructured_view *v, int64_t face)
{
  return triad_min(*triad_unstructured_part_place(v, face, 0), *triad_unstructured_part_place(v, face, 1));
}

/* Store the limiter factor of the cell on the left (side 0) or right of a face from its limits. At faces between
 * ranks, where both ranks must get the same bits, it is computed for both cells. */
TRIAD_POINT_INLINE void triad_unstructured_set_part(const triad_unstructured_view *v, int64_t face, int side,
                                                    int64_t cell, triad_real dt)
{
  triad_real a[5];
  triad_unstructured_load(&v->anti, face, 5, a);
  *triad_unstructured_part_place(v, face, side) =
    triad_unstructured_part_of(v, v->limited, cell, dt * v->per_volume[cell], side ? TRIAD_R(-1) : TRIAD_R(1), a);
}

/* Values of a cell whose conserved ones are u. */
TRIAD_POINT_INLINE void triad_unstructured_set_value(const triad_unstructured_view *v, int64_t cell,
                                                     const triad_real u[5])
{
  triad_real q[6];
  triad_gas_values_primitive(&v->gas, u, q);
  const triad_real square = v->gas.gamma * q[4] * (1 / u[0]); /* one division serves all */
  q[5] = square > 0 ? TRIAD_SQRT(triad_max(square, 0)) : 0;
  triad_unstructured_store(&v->value, cell, 6, q);
}

/* Does a cell hold a gas? */
TRIAD_POINT_INLINE int triad_unstructured_holds_gas(const triad_unstructured_view *v, int64_t cell)
{
  triad_real q[5];
  triad_unstructured_load(&v->value, cell, 5, q);
  return triad_gas_is_gas(q);
}

/* td - dt/V sum: its values; and the state, at the end of a step. */
TRIAD_POINT_INLINE void triad_unstructured_corrected(const triad_unstructured_view *v, int64_t cell, triad_real dt,
                                                     int last, const triad_real *sum, int step)
{
  triad_real u[5];
  const triad_real scale = dt * v->per_volume[cell];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) u[k] = v->td.at[k * v->td.pitch + cell] - scale * sum[k * step];
  if (last) triad_unstructured_store(&v->u, cell, 5, u);
  triad_unstructured_set_value(v, cell, u);
}

#endif
