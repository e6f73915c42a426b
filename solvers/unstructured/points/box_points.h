/* Flux-corrected transport in a zone whose cells are bricks between planes x, y, z = const. Normals are along axes;
 * areas and volumes are products of lengths. A face needs only the component of its cells' gradients along its axis, a
 * difference of three cells. So no geometry of faces is read and no gradient is stored; otherwise the arithmetic is
 * that of loops_points.h.
 *
 * Coordinates x, y, z are processed one after the other. For each, numbers are in its order: density, velocity along
 * the zone's axis, velocities along the next coordinate and the one after it, pressure, speed of sound. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_BOX_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_BOX_POINTS_H

#include "solvers/unstructured/points/loops_points.h"

/* Numbers of a layer of cells: its length; one over it; and the fractions of the differences to the cell below and to
 * the cell above that are added to a cell's value to get the value at its upper side. */
enum {
  TRIAD_UNSTRUCTURED_BOX_LENGTH,
  TRIAD_UNSTRUCTURED_BOX_PER_LENGTH,
  TRIAD_UNSTRUCTURED_BOX_BELOW,
  TRIAD_UNSTRUCTURED_BOX_ABOVE,
  TRIAD_UNSTRUCTURED_BOX_NUMBERS
};

/* A zone of bricks. axis: the zone's axis along each coordinate; sign: -1 if it runs backwards. outer: for each side
 * of the zone, lower and upper x, y, z, its faces in the order of its cells: outer faces, or interface faces (seams,
 * domain.h) whose left cell is the brick. begin, end: layers along the last axis for a launch. behind: offset that is
 * added to the index of a cell across those faces to get its bounds. seam: first of the zone's interface faces. */
typedef struct triad_unstructured_box {
  int axis[3], begin, end;
  triad_real sign[3];
  const triad_real *layer[3]; /* [n[axis]][TRIAD_UNSTRUCTURED_BOX_NUMBERS] */
  const int32_t *outer[6];
  int64_t behind, seam, n_seams;
} triad_unstructured_box;

/* An interface face: the brick on its left, the face, the side of the zone. Ghost copy (twin) i belongs to seam i. */
typedef struct triad_unstructured_seam {
  int32_t cell, face, side;
} triad_unstructured_seam;

/* The neighbours of a cell along one coordinate. */
typedef struct triad_unstructured_box_way {
  int coordinate, inside; /* 1: the cell above is in the zone too */
  triad_real sign, area;
  int32_t near[3];         /* cells below, above, and above that, or those across the zone's side */
  int32_t outer[2], face;  /* faces of the zone's sides below and above, -1: none; the upper face */
  const triad_real *layer; /* of the cell                                                 */
} triad_unstructured_box_way;

/* A cell's index in the order of a side across an axis. */
TRIAD_POINT_INLINE int64_t triad_unstructured_box_on_side(const triad_mesh_zone *z, int axis, const int x[3])
{
  return axis == 0   ? x[1] + z->n[1] * (int64_t)x[2]
         : axis == 1 ? x[0] + z->n[0] * (int64_t)x[2]
                     : x[0] + z->n[0] * (int64_t)x[1];
}

/* The cell across a face of a zone's side, or the entry beyond an outer face. */
TRIAD_POINT_INLINE int64_t triad_unstructured_box_across(const triad_unstructured_view *v, int64_t face)
{
  return face < v->n_inner ? v->cell[face][1] : triad_unstructured_beyond_face(v, face);
}

/* Element AXIS of an array of three, without indexed memory access. */
#define TRIAD_UNSTRUCTURED_OF_AXIS(AXIS, OF) ((AXIS) == 0 ? (OF)[0] : (AXIS) == 1 ? (OF)[1] : (OF)[2])

/* The face of cell x across side `up` of an axis, if the cell is on this side of the zone. */
TRIAD_POINT_INLINE int32_t triad_unstructured_box_outer(const triad_mesh_zone *z, const triad_unstructured_box *b,
                                                        int axis, int up, const int x[3])
{
  const int32_t *const of = axis == 0 ? b->outer[up] : axis == 1 ? b->outer[2 + up] : b->outer[4 + up];
  return of[triad_unstructured_box_on_side(z, axis, x)];
}

/* Set the neighbours along coordinate c of cell x, number i of a zone, which has two cells above it and one below
 * along the axis; the area is not set. */
TRIAD_POINT_INLINE triad_unstructured_box_way triad_unstructured_box_way_within(const triad_mesh_zone *z,
                                                                                const triad_unstructured_box *b,
                                                                                int64_t i, const int x[3], int c)
{
  triad_unstructured_box_way w;
  const int axis = TRIAD_UNSTRUCTURED_OF_AXIS(c, b->axis), at = TRIAD_UNSTRUCTURED_OF_AXIS(axis, x);
  const int32_t cell = (int32_t)(z->cell + i), stride = (int32_t)TRIAD_UNSTRUCTURED_OF_AXIS(axis, z->stride);
  w.coordinate = c;
  w.area = 0;
  w.sign = TRIAD_UNSTRUCTURED_OF_AXIS(c, b->sign);
  w.inside = 1;
  w.near[0] = cell - stride;
  w.near[1] = cell + stride;
  w.near[2] = cell + 2 * stride;
  w.outer[0] = w.outer[1] = -1;
  w.face = (int32_t)(z->slot + axis * z->cells + i);
  w.layer = TRIAD_UNSTRUCTURED_OF_AXIS(c, b->layer) + at * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
  return w;
}

/* Set the neighbours along coordinate c of cell x, number i of a zone; the area is not set. */
TRIAD_POINT_INLINE triad_unstructured_box_way triad_unstructured_box_way_of(const triad_unstructured_view *v,
                                                                            const triad_mesh_zone *z,
                                                                            const triad_unstructured_box *b, int64_t i,
                                                                            const int x[3], int c)
{
  triad_unstructured_box_way w = triad_unstructured_box_way_within(z, b, i, x, c);
  const int axis = TRIAD_UNSTRUCTURED_OF_AXIS(c, b->axis), at = TRIAD_UNSTRUCTURED_OF_AXIS(axis, x),
            n = TRIAD_UNSTRUCTURED_OF_AXIS(axis, z->n);
  w.inside = at + 1 < n;
  if (at == 0) {
    w.outer[0] = triad_unstructured_box_outer(z, b, axis, 0, x);
    w.near[0] = (int32_t)triad_unstructured_box_across(v, w.outer[0]);
  }
  if (at + 2 >= n) {
    const int32_t face = triad_unstructured_box_outer(z, b, axis, 1, x),
                  across = (int32_t)triad_unstructured_box_across(v, face);
    if (at + 1 == n) w.outer[1] = face;
    w.near[1] = at + 1 == n ? across : w.near[1];
    w.near[2] = across;
  }
  return w;
}

/* Index of number k, 1 to 3, in a coordinate's order. */
TRIAD_POINT int triad_unstructured_box_number(int coordinate, int k)
{
  const int at = coordinate + k - 1;
  return 1 + (at < 3 ? at : at - 3);
}

TRIAD_POINT_INLINE void triad_unstructured_box_load(const triad_unstructured_numbers *from, int64_t cell,
                                                    const triad_unstructured_box_way *way, int n, triad_real *out)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < n; k++)
    out[k] = from->at[(k < 1 || k > 3 ? k : triad_unstructured_box_number(way->coordinate, k)) * from->pitch + cell];
  out[1] *= way->sign;
}

/* Source of values at the start of the step: in the first stage the current ones; in the second either saved ones, or
 * computed from the state again. */
typedef enum triad_unstructured_start {
  TRIAD_UNSTRUCTURED_OF_STATE,
  TRIAD_UNSTRUCTURED_OF_VALUES,
  TRIAD_UNSTRUCTURED_OF_KEPT
} triad_unstructured_start;

/* Load the values at the start of the step; start is a compile-time constant. */
TRIAD_POINT_INLINE void triad_unstructured_box_before(const triad_unstructured_view *v, int64_t cell,
                                                      const triad_unstructured_box_way *way,
                                                      triad_unstructured_start start, triad_real q[6])
{
  triad_real u[5];
  if (start != TRIAD_UNSTRUCTURED_OF_STATE) {
    triad_unstructured_box_load(start == TRIAD_UNSTRUCTURED_OF_VALUES ? &v->value : &v->before, cell, way, 6, q);
    return;
  }
  triad_unstructured_box_load(&v->u, cell, way, 5, u);
  triad_gas_values_primitive(&v->gas, u, q);
  q[5] = TRIAD_SQRT(v->gas.gamma * q[4] * (1 / u[0])); /* one division serves both */
}

/* The low-order flux per area. */
TRIAD_POINT_INLINE void triad_unstructured_box_low(const triad_gas_constants *g, const triad_real l[6],
                                                   const triad_real r[6], triad_gas_riemann riemann, triad_real f[5])
{
  triad_gas_values_between(riemann, g, l, r, triad_max(TRIAD_ABS(l[1]) + l[5], TRIAD_ABS(r[1]) + r[5]), NULL, f);
}

/* Reconstruct values at the upper side of a cell (up = 1) or the lower one (up = -1), from q in the cell, below and
 * above; first order if density or pressure is not positive. */
TRIAD_POINT_INLINE void triad_unstructured_box_at_face(const triad_real below[5], const triad_real q[5],
                                                       const triad_real above[5], const triad_real *layer,
                                                       triad_real up, triad_real out[5])
{
  const triad_real a = up * layer[TRIAD_UNSTRUCTURED_BOX_BELOW], b = up * layer[TRIAD_UNSTRUCTURED_BOX_ABOVE];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = q[k] + (a * (below[k] - q[k]) + b * (above[k] - q[k]));
  const int gas = (out[0] > 0) & (out[4] > 0);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) out[k] = gas ? out[k] : q[k];
}

/* Store the antidiffusive flux (high-order minus low-order) of the upper face of a cell. */
TRIAD_POINT_INLINE void triad_unstructured_box_antidiffusive(const triad_unstructured_view *v, int64_t cell,
                                                             const triad_unstructured_box_way *way,
                                                             const triad_real low[5])
{
  triad_real q[4][5], l[5], r[5], f[5];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int i = 0; i < 4; i++)
    triad_unstructured_box_load(&v->value, i == 1 ? cell : way->near[i < 1 ? 0 : i - 1], way, 5, q[i]);
  triad_unstructured_box_at_face(q[0], q[1], q[2], way->layer, 1, l);
  triad_unstructured_box_at_face(q[1], q[2], q[3], way->layer + TRIAD_UNSTRUCTURED_BOX_NUMBERS, -1, r);
  triad_gas_values_hllc(&v->gas, l, r, NULL, f);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real more = way->area * (f[k] - low[k]);
    v->anti.at[(k < 1 || k > 3 ? k : triad_unstructured_box_number(way->coordinate, k)) * v->anti.pitch + way->face] =
      k == 1 ? way->sign * more : more;
  }
}

/* Load the low-order flux per area of a face on the zone's sides along the axis. It is stored times its area, and out
 * of the zone: `out` is -1 at the lower side. */
TRIAD_POINT_INLINE void triad_unstructured_box_kept(const triad_unstructured_view *v, int64_t cell,
                                                    const triad_unstructured_box_way *way, int64_t face, triad_real out,
                                                    triad_real f[5])
{
  const triad_real per_area = out * v->per_volume[cell] * way->layer[TRIAD_UNSTRUCTURED_BOX_LENGTH];
  triad_unstructured_box_load(&v->low, face, way, 5, f);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) f[k] *= per_area;
}

/* Add the difference of the low-order fluxes across the two sides along a coordinate, divided by the length, to sum
 * (in the coordinate's order); above: the flux across the upper side. Cells across the zone's sides have values but no
 * state. riemann is a compile-time constant. */
TRIAD_POINT_INLINE void triad_unstructured_box_sides(const triad_unstructured_view *v, int64_t cell,
                                                     const triad_unstructured_box_way *way,
                                                     triad_unstructured_start start, triad_gas_riemann riemann,
                                                     triad_real sum[5], triad_real above[5])
{
  triad_real q[3][6], below[5];
  const int bricks = start == TRIAD_UNSTRUCTURED_OF_STATE; /* ask these alone */
  triad_unstructured_box_before(v, bricks && way->outer[0] >= 0 ? cell : way->near[0], way, start, q[0]);
  triad_unstructured_box_before(v, cell, way, start, q[1]);
  triad_unstructured_box_before(v, bricks && way->outer[1] >= 0 ? cell : way->near[1], way, start, q[2]);
  triad_unstructured_box_low(&v->gas, q[0], q[1], riemann, below);
  triad_unstructured_box_low(&v->gas, q[1], q[2], riemann, above);
  if (way->outer[0] >= 0) triad_unstructured_box_kept(v, cell, way, way->outer[0], -1, below);
  if (way->outer[1] >= 0) triad_unstructured_box_kept(v, cell, way, way->outer[1], 1, above);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real scale = way->layer[TRIAD_UNSTRUCTURED_BOX_PER_LENGTH] * (k == 1 ? way->sign : TRIAD_R(1));
    sum[k] += scale * (above[k] - below[k]);
  }
}

/* Add area times the faster wave of both sides along a coordinate, divided by the volume. */
TRIAD_POINT_INLINE void triad_unstructured_box_add_speeds(const triad_unstructured_view *v, int64_t cell,
                                                          const triad_unstructured_box_way *way, triad_real *sum)
{
  triad_real speed[3];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int i = 0; i < 3; i++) {
    const int64_t at = i == 1 ? cell : way->near[i / 2];
    speed[i] =
      TRIAD_ABS(v->value.at[(1 + way->coordinate) * v->value.pitch + at]) + v->value.at[5 * v->value.pitch + at];
  }
  *sum +=
    (triad_max(speed[0], speed[1]) + triad_max(speed[1], speed[2])) * way->layer[TRIAD_UNSTRUCTURED_BOX_PER_LENGTH];
}

/* Rotate sums from the order of one coordinate to that of the next; after three calls they have the order of the
 * state. */
TRIAD_POINT_INLINE void triad_unstructured_box_next(triad_real sum[5])
{
  const triad_real along = sum[1];
  sum[1] = sum[2];
  sum[2] = sum[3];
  sum[3] = along;
}

/* ---- ghost copies (twins) of bricks, read by lists across interface faces (seams) ---- */

typedef struct triad_unstructured_box_cell {
  int64_t i; /* within the zone */
  int x[3];
} triad_unstructured_box_cell;

TRIAD_POINT_INLINE triad_unstructured_box_cell triad_unstructured_box_cell_of(const triad_mesh_zone *z, int64_t cell)
{
  triad_unstructured_box_cell p;
  p.i = cell - z->cell;
  p.x[0] = (int)(p.i % z->n[0]);
  p.x[1] = (int)(p.i / z->n[0] % z->n[1]);
  p.x[2] = (int)(p.i / z->n[0] / z->n[1]);
  return p;
}

/* Set the gradient of a ghost copy along the axis across its side; that is all that the face there needs; other
 * components are 0. */
TRIAD_POINT_INLINE void triad_unstructured_set_twin_gradient(const triad_unstructured_view *v, const triad_mesh_zone *z,
                                                             const triad_unstructured_box *b, int64_t cell, int side,
                                                             int64_t twin)
{
  const triad_unstructured_box_cell p = triad_unstructured_box_cell_of(z, cell);
  const int c = b->axis[0] == side >> 1 ? 0 : b->axis[1] == side >> 1 ? 1 : 2;
  const triad_unstructured_box_way w = triad_unstructured_box_way_of(v, z, b, p.i, p.x, c);
  const triad_real scale = 2 * w.sign * w.layer[TRIAD_UNSTRUCTURED_BOX_PER_LENGTH];
  triad_real q[3][5];
  triad_unstructured_load(&v->value, w.near[0], 5, q[0]);
  triad_unstructured_load(&v->value, cell, 5, q[1]);
  triad_unstructured_load(&v->value, w.near[1], 5, q[2]);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real slope = scale * (w.layer[TRIAD_UNSTRUCTURED_BOX_BELOW] * (q[0][k] - q[1][k]) +
                                      w.layer[TRIAD_UNSTRUCTURED_BOX_ABOVE] * (q[2][k] - q[1][k]));
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) v->gradient.at[(3 * k + a) * v->gradient.pitch + twin] = a == c ? slope : TRIAD_R(0);
  }
}

/* Set the bounds of a ghost copy before the zone's stages are computed. start, riemann: as for
 * triad_unstructured_box_sides. */
TRIAD_POINT_INLINE void triad_unstructured_set_twin_bounds(const triad_unstructured_view *v, const triad_mesh_zone *z,
                                                           const triad_unstructured_box *b, int64_t cell, int64_t twin,
                                                           triad_real dt, triad_unstructured_start start,
                                                           triad_gas_riemann riemann)
{
  const triad_unstructured_box_cell p = triad_unstructured_box_cell_of(z, cell);
  triad_real sum[5] = {0, 0, 0, 0, 0}, u[5], t[5];
  for (int c = 0; c < 3; c++) {
    triad_real above[5];
    const triad_unstructured_box_way w = triad_unstructured_box_way_of(v, z, b, p.i, p.x, c);
    triad_unstructured_box_sides(v, cell, &w, start, riemann, sum, above);
    triad_unstructured_box_next(sum);
  }
  triad_unstructured_load(&v->u, cell, 5, u);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 5; k++) t[k] = u[k] - dt * sum[k];
  triad_unstructured_own_bounds(v, twin, u, t);
}

#endif
