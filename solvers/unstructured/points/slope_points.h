/* Gradients of a cell's values, side by side (docs/methods/fct.md): by least squares, as means over
 * neighbours, cut at shocks. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_SLOPE_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_SLOPE_POINTS_H

#include "solvers/unstructured/state/view.h"

/* Initialise a cell's sums of least squares: with 0, or in thin bent cells with a diagonal (domain_weights.c). Returns
 * the distance that is added to squares of distances. softened: 1 if such cells exist; on the CPU a compile-time
 * constant. */
TRIAD_POINT_INLINE triad_real triad_unstructured_begin_slope(const triad_unstructured_view *v, int64_t cell,
                                                             int softened, double *squares, int step)
{
  if (!softened) return 0;
  squares[0] = squares[3 * step] = squares[5 * step] = (double)v->softening.at[v->softening.pitch + cell];
  return v->softening.at[cell];
}

/* Add a side to the least squares: with x the vector across side s, w = 1/(|x|^2 + distance) and changes dq of values,
 * sum accumulates w x dq, and squares w x x^T. A missing side adds nothing. squares are in double precision, because
 * the inverse would magnify rounding errors of single precision in skew cells. across: vector from the centre of the
 * left cell to that of the right cell, [3] with stride pitch. */
TRIAD_POINT_INLINE void triad_unstructured_add_slope_across(const triad_unstructured_view *v, int64_t near,
                                                            triad_real sign, const triad_real *across, int64_t pitch,
                                                            int64_t cell, triad_real distance, triad_real *sum,
                                                            double *squares, int step)
{
  triad_real y[3];
  double x[3];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) x[a] = (double)across[a * pitch];
  const double size = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + (double)distance, w = size > 0 ? 1 / size : 0;
  squares[0] += w * x[0] * x[0];
  squares[step] += w * x[0] * x[1];
  squares[2 * step] += w * x[0] * x[2];
  squares[3 * step] += w * x[1] * x[1];
  squares[4 * step] += w * x[1] * x[2];
  squares[5 * step] += w * x[2] * x[2];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) y[a] = sign * (triad_real)(w * x[a]);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real change = v->value.at[k * v->value.pitch + near] - v->value.at[k * v->value.pitch + cell];
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) sum[(3 * k + a) * step] += y[a] * change;
  }
}

TRIAD_POINT_INLINE void triad_unstructured_add_slope(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                     int64_t at, int s, int64_t cell, triad_real distance,
                                                     triad_real *sum, double *squares, int step)
{
  triad_real sign;
  const int64_t near = triad_unstructured_near(v, zone, at, s),
                face = triad_unstructured_face_at(v, zone, at, s, &sign);
  triad_unstructured_add_slope_across(v, near, sign, v->geometry.at + 6 * v->geometry.pitch + face, v->geometry.pitch,
                                      cell, distance, sum, squares, step);
}

/* Replace the sums over all sides by gradients: multiply by the inverse of squares. A cell whose neighbours are in a
 * plane gets zero gradients. */
TRIAD_POINT_INLINE void triad_unstructured_solve_slope(const double *squares, triad_real *sum, int step)
{
  const double xx = squares[0], xy = squares[step], xz = squares[2 * step], yy = squares[3 * step],
               yz = squares[4 * step], zz = squares[5 * step];
  const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
  const double det = xx * a + xy * b + xz * c, size = xx + yy + zz;
  const double per = (det > 0 ? det : -det) > 1e-12 * size * size * size ? 1 / det : 0;
  const triad_real m[TRIAD_UNSTRUCTURED_SQUARES] = {(triad_real)(a * per),
                                                    (triad_real)(b * per),
                                                    (triad_real)(c * per),
                                                    (triad_real)((xx * zz - xz * xz) * per),
                                                    (triad_real)((xy * xz - xx * yz) * per),
                                                    (triad_real)((xx * yy - xy * xy) * per)};
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    triad_real *g = sum + 3 * k * step;
    const triad_real x = g[0], y = g[step], z = g[2 * step];
    g[0] = m[0] * x + m[1] * y + m[2] * z;
    g[step] = m[1] * x + m[3] * y + m[4] * z;
    g[2 * step] = m[2] * x + m[4] * y + m[5] * z;
  }
}

/* Add a neighbour's gradients to those of a cell with few faces, which uses the mean; *n counts them. The mean is
 * still exact for linear fields, and makes fluxes stable. */
TRIAD_POINT_INLINE void triad_unstructured_add_neighbour(const triad_unstructured_view *v, int64_t at, int s,
                                                         int64_t cell, triad_real *sum, int step, triad_real *n)
{
  const int64_t near = v->near[at + s * TRIAD_UNSTRUCTURED_SLICE], from = near < v->n_seen ? near : cell;
  const triad_real counts = ((near < v->n_seen) & (near != cell)) ? TRIAD_R(1) : TRIAD_R(0);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int j = 0; j < TRIAD_UNSTRUCTURED_GRADIENT; j++)
    sum[j * step] += counts * v->slope.at[j * v->slope.pitch + from];
  *n += counts;
}

#define TRIAD_UNSTRUCTURED_LITTLE TRIAD_R(1e-4)

/* Update the minimum and maximum of the values of a cell and those across its sides, range[0 .. 4] and [5 .. 9]. */
TRIAD_POINT_INLINE void triad_unstructured_add_range(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                     int64_t at, int s, triad_real *range, int step)
{
  const int64_t near = triad_unstructured_near(v, zone, at, s);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real q = v->value.at[k * v->value.pitch + near];
    range[k * step] = triad_min(range[k * step], q);
    range[(5 + k) * step] = triad_max(range[(5 + k) * step], q);
  }
}

TRIAD_POINT_INLINE void triad_unstructured_start_range(const triad_unstructured_view *v, int64_t cell,
                                                       triad_real *range, int step)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) range[k * step] = range[(5 + k) * step] = v->value.at[k * v->value.pitch + cell];
}

/* Update *part, the factor of the gradients in sum that keeps all values at a side's face, at distance d, within the
 * range (Barth and Jespersen's factor). A deviation of TRIAD_UNSTRUCTURED_LITTLE times the value (for velocities: the
 * speed of sound) is allowed, so that almost uniform fields are not limited. */
TRIAD_POINT_INLINE void triad_unstructured_add_reach_to(const triad_unstructured_view *v, const triad_real d[3],
                                                        int64_t cell, const triad_real *sum, const triad_real *range,
                                                        triad_real *part, int step)
{
  triad_real least = *part;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real q = v->value.at[k * v->value.pitch + cell];
    const triad_real little =
      TRIAD_UNSTRUCTURED_LITTLE * (k == 0 || k == 4 ? q : v->value.at[5 * v->value.pitch + cell]);
    const triad_real change =
      sum[3 * k * step] * d[0] + sum[(3 * k + 1) * step] * d[1] + sum[(3 * k + 2) * step] * d[2];
    const triad_real room = (change > 0 ? range[(5 + k) * step] - q : q - range[k * step]) + little,
                     size = TRIAD_ABS(change);
    least = triad_min(least, size > room ? room / size : TRIAD_R(1));
  }
  *part = least;
}

TRIAD_POINT_INLINE void triad_unstructured_add_reach(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                     int64_t at, int s, int64_t cell, const triad_real *sum,
                                                     const triad_real *range, triad_real *part, int step)
{
  triad_real sign, d[3];
  const int64_t face = triad_unstructured_face_at(v, zone, at, s, &sign);
  triad_unstructured_to_face(v, face, sign < 0, d);
  triad_unstructured_add_reach_to(v, d, cell, sum, range, part, step);
}

/* Blend the factor by the pressure difference of the neighbourhood relative to the sum: full limiting from
 * TRIAD_UNSTRUCTURED_STEEP on (a shock), none below TRIAD_UNSTRUCTURED_SMOOTH, which smooth flow reaches on fine
 * meshes. */
#define TRIAD_UNSTRUCTURED_SMOOTH TRIAD_R(0.002)
#define TRIAD_UNSTRUCTURED_STEEP TRIAD_R(0.01)
TRIAD_POINT_INLINE triad_real triad_unstructured_cut(const triad_real *range, triad_real part, int step)
{
  const triad_real jump = (range[9 * step] - range[4 * step]) / (range[9 * step] + range[4 * step]);
  const triad_real share = (jump - TRIAD_UNSTRUCTURED_SMOOTH) / (TRIAD_UNSTRUCTURED_STEEP - TRIAD_UNSTRUCTURED_SMOOTH);
  return 1 - triad_min(triad_max(share, 0), 1) * (1 - part);
}

#endif
