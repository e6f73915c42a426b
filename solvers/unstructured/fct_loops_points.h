/* What one face and one cell do in a stage, on any device: numbers lie one array behind the other, so that neighbours in a loop
 * are neighbours in memory. Open fct_points.h first.
 *
 * Functions of a cell go through its sides. Where these are comes from lists, in slices of 32 rows, or, in a structured zone,
 * from the cell's number; `zone` NULL or not is known when they are compiled. `at` is the row's place in the lists, or the zone's
 * cell. Sums over sides are kept by the caller, `step` apart: lanes of a loop on the CPU, 1 on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FCT_LOOPS_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FCT_LOOPS_POINTS_H

#include "solvers/unstructured/fct_points.h"

enum {
  TRIAD_FCT_SLICE = 32,
  TRIAD_FCT_VALUES = 6,     /* primitive values of a cell, and its speed of sound                           */
  TRIAD_FCT_GRADIENT = 15,
  TRIAD_FCT_BOUNDS = 4,     /* largest density, -density, pressure, -pressure                               */
  TRIAD_FCT_LIMITS = 9,     /* parts of rises and falls of density, of pressure; velocity; sides over density; a rounding of the
                             * pressure */
  TRIAD_FCT_ENOUGH = 6,     /* sides of a cell whose gradients are its own                                 */
  TRIAD_FCT_GEOMETRY = 10,  /* a face's unit normal, area, and from both cells' centres to its own          */
  TRIAD_FCT_ZONE_SIDES = 6
};

/* Number k of cell or face i is at[k * pitch + i]. */
typedef struct triad_fct_numbers {
  triad_real *at;
  int64_t pitch;
} triad_fct_numbers;

/* A box of hexahedra: cell (i, j, k) is number cell + i + n[0] (j + n[1] k), and its upper face across axis a is face
 * slot + a cells + (i + n[0] (j + n[1] k)), where there is one within the zone. Sides are lower and upper x, y, z; from a cell's
 * number near[s] leads to the cell across, face[s] to the face. */
typedef struct triad_fct_zone {
  int64_t cell, slot, cells, stride[3], near[6], face[6];
  int32_t n[3];
} triad_fct_zone;

/* What loops see. slope: gradients before the mean over neighbours is taken; where it is not, gradient itself. Cells: own ones, ghosts, then one beyond each outer face. */
typedef struct triad_fct_view {
  triad_fct_gas gas;
  triad_real slack;
  int limited, bounded;        /* TRIAD_FCT_LIMIT_..; is there a limiter at all? */
  int flat;                    /* do gradients leave what a cell's neighbours have? If not, widen cuts them */
  int64_t n_cells, n_seen, n_inner, n_faces; /* seen: own cells and ghosts       */
  triad_fct_numbers u, td, value, slope, gradient, bound, limit, low, anti, geometry, weight, zone_weight;
  triad_real *speed, *per_volume; /* area times the faster wave of a face; of cells 1/V */
  const int32_t (*cell)[2];
  const int64_t *start;           /* of a slice of rows in near, side and weight        */
  const int32_t *near, *side;     /* cell across; 2 face + (0 on the left, 1 on the right) of it */
  const uint8_t *sides;           /* of a row                                           */
} triad_fct_view;

/* ---- where things are ---- */

TRIAD_POINT_INLINE int64_t triad_fct_near(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s)
{
  if (zone) return at + zone->near[s];
  return v->near[at + s * TRIAD_FCT_SLICE];
}

/* The face of a side; *sign: 1 where what passes it leaves the cell, -1 where it comes in. */
TRIAD_POINT_INLINE int64_t triad_fct_face_at(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                             triad_real *sign)
{
  if (zone) {
    *sign = s & 1 ? TRIAD_R(1) : TRIAD_R(-1);
    return at + zone->face[s];
  }
  const int32_t side = v->side[at + s * TRIAD_FCT_SLICE];
  *sign = side & 1 ? TRIAD_R(-1) : TRIAD_R(1);
  return side >> 1;
}

/* What is beyond an outer face stands at this place among cells. */
TRIAD_POINT_INLINE int64_t triad_fct_beyond_face(const triad_fct_view *v, int64_t face) { return v->n_seen + face - v->n_inner; }

TRIAD_POINT_INLINE void triad_fct_load(const triad_fct_numbers *from, int64_t i, int n, triad_real *out)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < n; k++) out[k] = from->at[k * from->pitch + i];
}

TRIAD_POINT_INLINE void triad_fct_store(const triad_fct_numbers *to, int64_t i, int n, const triad_real *in)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < n; k++) to->at[k * to->pitch + i] = in[k];
}

/* ---- gradients ---- */

TRIAD_POINT_INLINE void triad_fct_add_slope(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s, int64_t cell,
                                            triad_real *sum, int step)
{
  const int64_t near = triad_fct_near(v, zone, at, s);
  triad_real w[3];
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++)
    w[a] = zone ? v->zone_weight.at[(3 * s + a) * v->zone_weight.pitch + at]
                : v->weight.at[a * v->weight.pitch + at + s * TRIAD_FCT_SLICE];
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real change = v->value.at[k * v->value.pitch + near] - v->value.at[k * v->value.pitch + cell];
    TRIAD_FCT_UNROLL
    for (int a = 0; a < 3; a++) sum[(3 * k + a) * step] += w[a] * change;
  }
}

/* Of a cell with few faces the mean of its own gradients and its neighbours', of which *n are in sum; they are exact for linear
 * fields all the same, and fluxes by them are stable. */
TRIAD_POINT_INLINE void triad_fct_add_neighbour(const triad_fct_view *v, int64_t at, int s, int64_t cell, triad_real *sum, int step,
                                                triad_real *n)
{
  const int64_t near = v->near[at + s * TRIAD_FCT_SLICE], from = near < v->n_seen ? near : cell;
  const triad_real counts = (near < v->n_seen) & (near != cell) ? TRIAD_R(1) : TRIAD_R(0);
  TRIAD_FCT_UNROLL
  for (int j = 0; j < TRIAD_FCT_GRADIENT; j++) sum[j * step] += counts * v->slope.at[j * v->slope.pitch + from];
  *n += counts;
}

#define TRIAD_FCT_LITTLE TRIAD_R(1e-4)

/* Least and largest values of a cell and those across its sides, range[0 .. 4] and [5 .. 9]. */
TRIAD_POINT_INLINE void triad_fct_add_range(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                            triad_real *range, int step)
{
  const int64_t near = triad_fct_near(v, zone, at, s);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real q = v->value.at[k * v->value.pitch + near];
    range[k * step] = triad_fct_smaller(range[k * step], q);
    range[(5 + k) * step] = triad_fct_larger(range[(5 + k) * step], q);
  }
}

TRIAD_POINT_INLINE void triad_fct_start_range(const triad_fct_view *v, int64_t cell, triad_real *range, int step)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) range[k * step] = range[(5 + k) * step] = v->value.at[k * v->value.pitch + cell];
}

/* *part: of the gradients in sum, what keeps all values at this side within the range (Barth and Jespersen's factor), or beyond it by
 * TRIAD_FCT_LITTLE of the value, of velocities of the speed of sound: what is the same everywhere but for little cuts nothing. */
TRIAD_POINT_INLINE void triad_fct_add_reach(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s, int64_t cell,
                                            const triad_real *sum, const triad_real *range, triad_real *part, int step)
{
  triad_real sign, d[3], least = *part;
  const int64_t face = triad_fct_face_at(v, zone, at, s, &sign);
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) d[a] = v->geometry.at[((sign < 0 ? 7 : 4) + a) * v->geometry.pitch + face];
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real q = v->value.at[k * v->value.pitch + cell];
    const triad_real little = TRIAD_FCT_LITTLE * (k == 0 || k == 4 ? q : v->value.at[5 * v->value.pitch + cell]);
    const triad_real change = sum[3 * k * step] * d[0] + sum[(3 * k + 1) * step] * d[1] + sum[(3 * k + 2) * step] * d[2];
    const triad_real room = (change > 0 ? range[(5 + k) * step] - q : q - range[k * step]) + little, size = TRIAD_ABS(change);
    least = triad_fct_smaller(least, size > room ? room / size : TRIAD_R(1));
  }
  *part = least;
}

/* What of it is taken where pressures of the neighbourhood are that far apart, relative to their sum: all from TRIAD_FCT_STEEP on, which
 * is a shock, nothing below TRIAD_FCT_SMOOTH, where flow that is smooth comes to on finer meshes. */
#define TRIAD_FCT_SMOOTH TRIAD_R(0.002)
#define TRIAD_FCT_STEEP TRIAD_R(0.01)
TRIAD_POINT_INLINE triad_real triad_fct_cut(const triad_real *range, triad_real part, int step)
{
  const triad_real jump = (range[9 * step] - range[4 * step]) / (range[9 * step] + range[4 * step]);
  const triad_real share = (jump - TRIAD_FCT_SMOOTH) / (TRIAD_FCT_STEEP - TRIAD_FCT_SMOOTH);
  return 1 - triad_fct_smaller(triad_fct_larger(share, 0), 1) * (1 - part);
}

/* ---- fluxes ---- */

typedef enum triad_fct_high { TRIAD_FCT_NO_HIGH, TRIAD_FCT_CENTRAL, TRIAD_FCT_LINEAR } triad_fct_high;

/* At the face from the cell on its left (side 0) or right. */
TRIAD_POINT_INLINE void triad_fct_at_face(const triad_fct_view *v, int64_t face, int side, int64_t cell, triad_real out[5])
{
  triad_real q[5], g[5][3], from[3];
  triad_fct_load(&v->value, cell, 5, q);
  triad_fct_load(&v->gradient, cell, 15, &g[0][0]);
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) from[a] = v->geometry.at[(4 + 3 * side + a) * v->geometry.pitch + face];
  triad_fct_reconstruct(q, (const triad_real(*)[3])g, from, out);
}

/* The mean of both sides' fluxes. */
TRIAD_POINT_INLINE void triad_fct_central(const triad_fct_gas *g, const triad_real l[5], const triad_real r[5],
                                          const triad_real n[3], triad_real f[5])
{
  triad_real other[5];
  triad_fct_flux(g, l, n, f);
  triad_fct_flux(g, r, n, other);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) f[k] = TRIAD_R(0.5) * (f[k] + other[k]);
}

/* The low-order flux of a face between cells l and r and its fastest wave, where `low`; and by how much the high-order one is
 * more. low, hllc and high are known when it is compiled. */
TRIAD_POINT_INLINE void triad_fct_face_fluxes(const triad_fct_view *v, int64_t face, int64_t l, int64_t r, int low, int hllc,
                                              int high)
{
  triad_real g[4], ql[6], qr[6], f[5], lower[5];
  triad_fct_load(&v->geometry, face, 4, g);
  if (low || high == TRIAD_FCT_CENTRAL) {
    triad_fct_load(&v->value, l, 6, ql);
    triad_fct_load(&v->value, r, 6, qr);
  }
  if (low) {
    const triad_real sl = TRIAD_ABS(triad_fct_dot(ql + 1, g)) + ql[5], sr = TRIAD_ABS(triad_fct_dot(qr + 1, g)) + qr[5];
    const triad_real speed = triad_fct_larger(sl, sr);
    if (hllc)
      triad_fct_hllc_of(&v->gas, ql, qr, ql[5], qr[5], g, f);
    else
      triad_fct_rusanov_of(&v->gas, ql, qr, speed, g, f);
    v->speed[face] = g[3] * speed;
    TRIAD_FCT_UNROLL
    for (int k = 0; k < 5; k++) lower[k] = g[3] * f[k];
    triad_fct_store(&v->low, face, 5, lower);
  } else {
    triad_fct_load(&v->low, face, 5, lower);
  }
  if (high == TRIAD_FCT_NO_HIGH) return;
  if (high == TRIAD_FCT_LINEAR) {
    triad_fct_at_face(v, face, 0, l, ql);
    triad_fct_at_face(v, face, 1, r, qr);
    triad_fct_hllc(&v->gas, ql, qr, g, f);
  } else {
    triad_fct_central(&v->gas, ql, qr, g, f);
  }
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) f[k] = g[3] * f[k] - lower[k];
  triad_fct_store(&v->anti, face, 5, f);
}

/* At an outer face of a cell whose gradient, of what is beyond and in the cell opposite, goes along a line: there the face is half as
 * far as what is beyond; `part`: of the difference to the cell opposite. */
TRIAD_POINT_INLINE void triad_fct_on_line(const triad_fct_view *v, int64_t cell, int64_t beyond, int64_t opposite, triad_real part,
                                          triad_real out[5])
{
  triad_real q[5], far[5], back[5];
  triad_fct_load(&v->value, cell, 5, q);
  triad_fct_load(&v->value, beyond, 5, far);
  triad_fct_load(&v->value, opposite, 5, back);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) out[k] = q[k] + (part * (q[k] - back[k]) + TRIAD_R(0.25) * (far[k] - q[k]));
  const int gas = (out[0] > 0) & (out[4] > 0);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) out[k] = gas ? out[k] : q[k];
}

/* The same at an outer face with a rule. At a wall there are fluxes of their own; elsewhere the central flux is the low-order
 * one. opposite: triad_fct_on_line's; -1: the cell's gradient is kept. */
TRIAD_POINT_INLINE void triad_fct_outer_fluxes(const triad_fct_view *v, const triad_fct_rule *rule, int64_t face, int low,
                                               int hllc, int high, int64_t opposite, triad_real part)
{
  const int64_t l = v->cell[face][0], r = triad_fct_beyond_face(v, face);
  const int wall = triad_fct_is_wall(rule->kind);
  triad_real g[4], ql[6], qr[6], f[5], lower[5];
  triad_fct_load(&v->geometry, face, 4, g);
  triad_fct_load(&v->value, l, 6, ql);
  triad_fct_load(&v->value, r, 6, qr);
  const triad_real speed = triad_fct_larger(TRIAD_ABS(triad_fct_dot(ql + 1, g)) + ql[5],
                                            TRIAD_ABS(triad_fct_dot(qr + 1, g)) + qr[5]);
  if (wall)
    triad_fct_wall(&v->gas, ql, g, lower);
  else if (hllc)
    triad_fct_hllc_of(&v->gas, ql, qr, ql[5], qr[5], g, lower);
  else
    triad_fct_rusanov_of(&v->gas, ql, qr, speed, g, lower);
  for (int k = 0; k < 5; k++) f[k] = lower[k];
  if (high == TRIAD_FCT_CENTRAL && wall)
    for (int a = 0; a < 3; a++) f[1 + a] = ql[4] * g[a];
  if (high == TRIAD_FCT_LINEAR) {
    if (opposite >= 0) triad_fct_on_line(v, l, r, opposite, part, ql);
    else triad_fct_at_face(v, face, 0, l, ql);
    triad_fct_beyond(&v->gas, rule, ql, g, qr);
    if (wall)
      triad_fct_wall(&v->gas, ql, g, f);
    else
      triad_fct_hllc(&v->gas, ql, qr, g, f);
  }
  if (low) {
    v->speed[face] = g[3] * speed;
    for (int k = 0; k < 5; k++) v->low.at[k * v->low.pitch + face] = g[3] * lower[k];
  }
  if (high == TRIAD_FCT_NO_HIGH) return;
  for (int k = 0; k < 5; k++)
    v->anti.at[k * v->anti.pitch + face] = g[3] * f[k] - v->low.at[k * v->low.pitch + face];
}

/* What is beyond an outer face. */
TRIAD_POINT_INLINE void triad_fct_set_beyond(const triad_fct_view *v, const triad_fct_rule *rule, int64_t face)
{
  triad_real q[5], n[3], out[6];
  triad_fct_load(&v->value, v->cell[face][0], 5, q);
  triad_fct_load(&v->geometry, face, 3, n);
  triad_fct_beyond(&v->gas, rule, q, n, out);
  out[5] = triad_fct_sound(&v->gas, out);
  triad_fct_store(&v->value, triad_fct_beyond_face(v, face), 6, out);
}

/* There: bounds as it comes in, and room for anything. */
TRIAD_POINT_INLINE void triad_fct_set_room_beyond(const triad_fct_view *v, int64_t face)
{
  const int64_t i = triad_fct_beyond_face(v, face);
  const triad_real rho = v->value.at[i], p = v->value.at[4 * v->value.pitch + i], b[4] = {rho, -rho, p, -p};
  triad_fct_store(&v->bound, i, 4, b);
}

TRIAD_POINT_INLINE void triad_fct_set_limits_beyond(const triad_fct_view *v, int64_t face)
{
  const triad_real all[TRIAD_FCT_LIMITS] = {1, 1, 1, 1, 0, 0, 0, 0, 0};
  triad_fct_store(&v->limit, triad_fct_beyond_face(v, face), TRIAD_FCT_LIMITS, all);
}

/* ---- fluxes to cells ---- */

TRIAD_POINT_INLINE void triad_fct_add_speed(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                            triad_real *sum)
{
  triad_real sign;
  *sum += v->speed[triad_fct_face_at(v, zone, at, s, &sign)];
}

TRIAD_POINT_INLINE void triad_fct_add_low(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                          triad_real *sum, int step)
{
  triad_real sign;
  const int64_t face = triad_fct_face_at(v, zone, at, s, &sign);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) sum[k * step] += sign * v->low.at[k * v->low.pitch + face];
}

/* All of low and anti, where there is no limiter. */
TRIAD_POINT_INLINE void triad_fct_add_anti_at(const triad_fct_view *v, int64_t face, triad_real sign, triad_real *sum, int step)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) sum[k * step] += sign * v->anti.at[k * v->anti.pitch + face];
}

TRIAD_POINT_INLINE void triad_fct_add_anti(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                           triad_real *sum, int step)
{
  triad_real sign;
  const int64_t face = triad_fct_face_at(v, zone, at, s, &sign);
  triad_fct_add_anti_at(v, face, sign, sum, step);
}

/* Bounds of density and pressure at a cell: those of the state u, and transported and diffused t, the latter with slack: what
 * overshoots is diffused by more than that, so that steps do not add it up. */
TRIAD_POINT_INLINE void triad_fct_own_bounds(const triad_fct_view *v, int64_t cell, const triad_real u[5],
                                             const triad_real t[5])
{
  triad_real q[5], p[5];
  triad_fct_primitive(&v->gas, u, q);
  triad_fct_primitive(&v->gas, t, p);
  const triad_real more = 1 + v->slack, less = 1 - v->slack;
  const triad_real b[4] = {triad_fct_larger(q[0], p[0] * more), triad_fct_larger(-q[0], -p[0] * less),
                           triad_fct_larger(q[4], p[4] * more), triad_fct_larger(-q[4], -p[4] * less)};
  triad_fct_store(&v->bound, cell, 4, b);
}

/* td = u - scale sum */
TRIAD_POINT_INLINE void triad_fct_transported_by(const triad_fct_view *v, int64_t cell, triad_real scale, int bounded,
                                                 const triad_real *sum, int step)
{
  triad_real u[5], t[5];
  triad_fct_load(&v->u, cell, 5, u);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) t[k] = u[k] - scale * sum[k * step];
  triad_fct_store(&v->td, cell, 5, t);
  if (bounded) triad_fct_own_bounds(v, cell, u, t);
}

/* td = u - dt/V sum */
TRIAD_POINT_INLINE void triad_fct_transported(const triad_fct_view *v, int64_t cell, triad_real dt, int bounded,
                                              const triad_real *sum, int step)
{
  triad_fct_transported_by(v, cell, dt * v->per_volume[cell], bounded, sum, step);
}

/* ---- limits ---- */

TRIAD_POINT_INLINE void triad_fct_widen_by(const triad_fct_view *v, int64_t near, triad_real *b, int step)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 4; k++) b[k * step] = triad_fct_larger(b[k * step], v->bound.at[k * v->bound.pitch + near]);
}

TRIAD_POINT_INLINE void triad_fct_widen(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s, triad_real *b,
                                        int step)
{
  triad_fct_widen_by(v, triad_fct_near(v, zone, at, s), b, step);
}

/* What sums over a cell's sides of the antidiffusive fluxes need: velocity of td, n over the least density, dt/V. */
TRIAD_POINT_INLINE void triad_fct_before_limits(const triad_fct_view *v, int64_t cell, triad_real n, triad_real dt,
                                                const triad_real *b, triad_real *own, int step)
{
  const triad_real rho = v->td.at[cell], per_rho = 1 / rho;
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) own[a * step] = v->td.at[(1 + a) * v->td.pitch + cell] * per_rho;
  own[3 * step] = n / triad_fct_smaller(-b[step], rho);
  own[4 * step] = dt * v->per_volume[cell];
}

TRIAD_POINT_INLINE void triad_fct_add_changes_at(const triad_fct_view *v, int64_t face, triad_real sign, const triad_real *own,
                                                 triad_real *sum, int step)
{
  triad_real d[5], first, second;
  const triad_real velocity[3] = {own[0], own[step], own[2 * step]}, scale = -sign * own[4 * step];
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) d[k] = scale * v->anti.at[k * v->anti.pitch + face];
  triad_fct_pressure_change(&v->gas, velocity, d, own[3 * step], &first, &second);
  sum[0] += triad_fct_larger(d[0], 0);
  sum[step] += triad_fct_larger(-d[0], 0);
  sum[2 * step] += triad_fct_larger(first, 0);
  sum[3 * step] += triad_fct_larger(second - first, 0);
}

TRIAD_POINT_INLINE void triad_fct_add_changes(const triad_fct_view *v, const triad_fct_zone *zone, int64_t at, int s,
                                              const triad_real *own, triad_real *sum, int step)
{
  triad_real sign;
  const int64_t face = triad_fct_face_at(v, zone, at, s, &sign);
  triad_fct_add_changes_at(v, face, sign, own, sum, step);
}

/* Zalesak's factors of the sums, within bounds b. */
TRIAD_POINT_INLINE void triad_fct_set_limits(const triad_fct_view *v, int64_t cell, triad_real n, const triad_real *b,
                                             const triad_real *own, const triad_real *sum, int step)
{
  triad_real t[5];
  triad_fct_load(&v->td, cell, 5, t);
  const triad_real p = v->gas.gm1 * (t[4] - TRIAD_R(0.5) * (t[1] * own[0] + t[2] * own[step] + t[3] * own[2 * step]));
  const triad_real out[TRIAD_FCT_LIMITS] = {triad_fct_room(b[0] - t[0], sum[0]),
                                            triad_fct_room(t[0] + b[step], sum[step]),
                                            triad_fct_room(b[2 * step] - p, sum[2 * step]),
                                            triad_fct_room(p + b[3 * step], sum[3 * step]),
                                            own[0], own[step], own[2 * step], own[3 * step],
                                            TRIAD_FCT_ROUNDING * p / n};
  triad_fct_store(&v->limit, cell, TRIAD_FCT_LIMITS, out);
}

/* ---- the correction ---- */

/* The part of a face's antidiffusive flux a, out of this cell where sign is 1, that it can take. */
TRIAD_POINT_INLINE triad_real triad_fct_part_of(const triad_fct_view *v, int limited, int64_t cell, triad_real dt,
                                                triad_real sign, const triad_real a[5])
{
  triad_real l[TRIAD_FCT_LIMITS], in[5];
  triad_fct_load(&v->limit, cell, TRIAD_FCT_LIMITS, l);
  const triad_fct_limits limits = {{l[0], l[2]}, {l[1], l[3]}, {l[4], l[5], l[6]}, l[7], dt * v->per_volume[cell], l[8]};
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) in[k] = -sign * a[k];
  return triad_fct_part(&v->gas, &limits, in, limited);
}

/* What both cells of a face can take of it. Both sides find the same: a minimum knows no order. */
TRIAD_POINT_INLINE triad_real triad_fct_part_at(const triad_fct_view *v, int limited, int64_t cell, int64_t near, triad_real dt,
                                                triad_real sign, const triad_real a[5])
{
  return triad_fct_smaller(triad_fct_part_of(v, limited, cell, dt, sign, a),
                           triad_fct_part_of(v, limited, near, dt, -sign, a));
}

/* Returns the part. limited: TRIAD_FCT_LIMIT_.., known when it is compiled where loops become vector instructions. */
TRIAD_POINT_INLINE triad_real triad_fct_add_part_at(const triad_fct_view *v, int limited, int64_t cell, int64_t near, int64_t face,
                                                    triad_real sign, triad_real dt, triad_real *sum, int step)
{
  triad_real a[5];
  triad_fct_load(&v->anti, face, 5, a);
  const triad_real part = triad_fct_part_at(v, limited, cell, near, dt, sign, a);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) sum[k * step] += sign * part * a[k];
  return part;
}

TRIAD_POINT_INLINE triad_real triad_fct_add_part(const triad_fct_view *v, const triad_fct_zone *zone, int limited, int64_t at,
                                                 int s, int64_t cell, triad_real dt, triad_real *sum, int step)
{
  triad_real sign;
  const int64_t near = triad_fct_near(v, zone, at, s), face = triad_fct_face_at(v, zone, at, s, &sign);
  return triad_fct_add_part_at(v, limited, cell, near, face, sign, dt, sum, step);
}

/* What leaves through an outer face: the low-order flux, and what its cell can take of the antidiffusive one. */
TRIAD_POINT_INLINE void triad_fct_passed(const triad_fct_view *v, int64_t face, triad_real dt, int high, triad_real out[5])
{
  triad_real a[5];
  triad_fct_load(&v->low, face, 5, out);
  if (!high) return;
  triad_fct_load(&v->anti, face, 5, a);
  const triad_real part = v->bounded ? triad_fct_part_of(v, v->limited, v->cell[face][0], dt, 1, a) : TRIAD_R(1);
  for (int k = 0; k < 5; k++) out[k] += part * a[k];
}

/* Values of a cell whose conserved ones are u. */
TRIAD_POINT_INLINE void triad_fct_set_value(const triad_fct_view *v, int64_t cell, const triad_real u[5])
{
  triad_real q[6];
  triad_fct_primitive(&v->gas, u, q);
  const triad_real square = v->gas.gamma * q[4] / q[0];
  q[5] = square > 0 ? TRIAD_SQRT(triad_fct_larger(square, 0)) : 0;
  triad_fct_store(&v->value, cell, 6, q);
}

/* Does a cell hold a gas? */
TRIAD_POINT_INLINE int triad_fct_holds_gas(const triad_fct_view *v, int64_t cell)
{
  triad_real q[5];
  triad_fct_load(&v->value, cell, 5, q);
  return triad_fct_is_gas(q);
}

/* td - dt/V sum: its values; and the state, at the end of a step. */
TRIAD_POINT_INLINE void triad_fct_corrected(const triad_fct_view *v, int64_t cell, triad_real dt, int last,
                                            const triad_real *sum, int step)
{
  triad_real u[5];
  const triad_real scale = dt * v->per_volume[cell];
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) u[k] = v->td.at[k * v->td.pitch + cell] - scale * sum[k * step];
  if (last) triad_fct_store(&v->u, cell, 5, u);
  triad_fct_set_value(v, cell, u);
}

#endif
