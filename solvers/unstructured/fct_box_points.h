/* Flux-corrected transport in a zone whose cells are bricks between planes x, y, z = const. Normals are axes, areas and
 * volumes products of lengths, and of its cell's gradient a face sees the part along its axis, a difference of three cells. So
 * nothing is read of faces, and no gradient is kept; else this is the arithmetic of fct_loops_points.h.
 *
 * Coordinates x, y, z are gone through one after the other. For each, numbers come in its order: density, velocity along the
 * zone's axis, velocities along the next coordinate and the one after it, pressure, speed of sound. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FCT_BOX_POINTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FCT_BOX_POINTS_H

#include "solvers/unstructured/fct_loops_points.h"

/* Of a layer of cells: its length, one over it; and by what part of the difference to the cell below, or above, a value at the
 * upper side is more than in the cell. */
enum { TRIAD_FCT_BOX_LENGTH, TRIAD_FCT_BOX_PER_LENGTH, TRIAD_FCT_BOX_BELOW, TRIAD_FCT_BOX_ABOVE, TRIAD_FCT_BOX_NUMBERS };

/* axis: of the zone, along a coordinate; sign: -1 where it goes the other way. rim: its cells on its surface, in the list of those of
 * all zones. */
typedef struct triad_fct_box {
  int axis[3];
  triad_real sign[3];
  const triad_real *layer[3]; /* [n[axis]][TRIAD_FCT_BOX_NUMBERS] */
  int64_t rim, n_rim;
} triad_fct_box;

/* What a cell needs to know of one coordinate. */
typedef struct triad_fct_box_way {
  int coordinate, inside;     /* is the cell above one that is not on the zone's surface? */
  triad_real sign, area;
  int64_t stride, face;       /* to the cell above; the face before it */
  const triad_real *layer;    /* of the cell                           */
} triad_fct_box_way;

/* Where number k, 1 to 3, of a coordinate's order is. */
TRIAD_POINT int triad_fct_box_number(int coordinate, int k)
{
  const int at = coordinate + k - 1;
  return 1 + (at < 3 ? at : at - 3);
}

TRIAD_POINT_INLINE void triad_fct_box_load(const triad_fct_numbers *from, int64_t cell, const triad_fct_box_way *way, int n,
                                           triad_real *out)
{
  TRIAD_FCT_UNROLL
  for (int k = 0; k < n; k++)
    out[k] = from->at[(k < 1 || k > 3 ? k : triad_fct_box_number(way->coordinate, k)) * from->pitch + cell];
  out[1] *= way->sign;
}

/* Values at the start of the step: those in use in the first stage; in the second one they are made of the state again. */
TRIAD_POINT_INLINE void triad_fct_box_before(const triad_fct_view *v, int64_t cell, const triad_fct_box_way *way, int first,
                                             triad_real q[6])
{
  triad_real u[5];
  if (first) {
    triad_fct_box_load(&v->value, cell, way, 6, q);
    return;
  }
  triad_fct_box_load(&v->u, cell, way, 5, u);
  triad_fct_primitive(&v->gas, u, q);
  q[5] = TRIAD_SQRT(v->gas.gamma * q[4] * (1 / u[0])); /* one division serves both */
}

/* The low-order flux per area. */
TRIAD_POINT_INLINE void triad_fct_box_low(const triad_fct_gas *g, const triad_real l[6], const triad_real r[6], int hllc,
                                          triad_real f[5])
{
  if (hllc)
    triad_fct_hllc_of(g, l, r, l[5], r[5], NULL, f);
  else
    triad_fct_rusanov_of(g, l, r, triad_fct_larger(TRIAD_ABS(l[1]) + l[5], TRIAD_ABS(r[1]) + r[5]), NULL, f);
}

/* At the upper side of a cell (up 1), or the lower one (-1): by q there, below and above. */
TRIAD_POINT_INLINE void triad_fct_box_at_face(const triad_real below[5], const triad_real q[5], const triad_real above[5],
                                              const triad_real *layer, triad_real up, triad_real out[5])
{
  const triad_real a = up * layer[TRIAD_FCT_BOX_BELOW], b = up * layer[TRIAD_FCT_BOX_ABOVE];
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) out[k] = q[k] + (a * (below[k] - q[k]) + b * (above[k] - q[k]));
  const int gas = (out[0] > 0) & (out[4] > 0);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) out[k] = gas ? out[k] : q[k];
}

/* By how much the high-order flux is more than the low-order one, at the upper face of a cell; it is kept there. */
TRIAD_POINT_INLINE void triad_fct_box_antidiffusive(const triad_fct_view *v, int64_t cell, const triad_fct_box_way *way,
                                                    const triad_real low[5])
{
  triad_real q[4][5], l[5], r[5], f[5];
  TRIAD_FCT_UNROLL
  for (int i = 0; i < 4; i++) triad_fct_box_load(&v->value, cell + (i - 1) * way->stride, way, 5, q[i]);
  triad_fct_box_at_face(q[0], q[1], q[2], way->layer, 1, l);
  triad_fct_box_at_face(q[1], q[2], q[3], way->layer + TRIAD_FCT_BOX_NUMBERS, -1, r);
  triad_fct_hllc(&v->gas, l, r, NULL, f);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real more = way->area * (f[k] - low[k]);
    v->anti.at[(k < 1 || k > 3 ? k : triad_fct_box_number(way->coordinate, k)) * v->anti.pitch + way->face] =
        k == 1 ? way->sign * more : more;
  }
}

/* Fluxes across the two sides along a coordinate, over the length between them, are added to sum, which has the coordinate's
 * order. first: of the step's stages; it and hllc are known when it is compiled. */
TRIAD_POINT_INLINE void triad_fct_box_sides(const triad_fct_view *v, int64_t cell, const triad_fct_box_way *way, int first,
                                            int hllc, triad_real sum[5])
{
  triad_real q[3][6], below[5], above[5];
  TRIAD_FCT_UNROLL
  for (int i = 0; i < 3; i++) triad_fct_box_before(v, cell + (i - 1) * way->stride, way, first, q[i]);
  triad_fct_box_low(&v->gas, q[0], q[1], hllc, below);
  triad_fct_box_low(&v->gas, q[1], q[2], hllc, above);
  TRIAD_FCT_UNROLL
  for (int k = 0; k < 5; k++) {
    const triad_real scale = way->layer[TRIAD_FCT_BOX_PER_LENGTH] * (k == 1 ? way->sign : TRIAD_R(1));
    sum[k] += scale * (above[k] - below[k]);
  }
  if (way->inside) triad_fct_box_antidiffusive(v, cell, way, above);
}

/* Area times the faster wave of both sides along a coordinate, over the volume. */
TRIAD_POINT_INLINE void triad_fct_box_add_speeds(const triad_fct_view *v, int64_t cell, const triad_fct_box_way *way,
                                                 triad_real *sum)
{
  triad_real speed[3];
  TRIAD_FCT_UNROLL
  for (int i = 0; i < 3; i++) {
    const int64_t at = cell + (i - 1) * way->stride;
    speed[i] = TRIAD_ABS(v->value.at[(1 + way->coordinate) * v->value.pitch + at]) + v->value.at[5 * v->value.pitch + at];
  }
  *sum += (triad_fct_larger(speed[0], speed[1]) + triad_fct_larger(speed[1], speed[2])) * way->layer[TRIAD_FCT_BOX_PER_LENGTH];
}

/* From the order of one coordinate to the next one's; after three of them sums are as the state is. */
TRIAD_POINT_INLINE void triad_fct_box_next(triad_real sum[5])
{
  const triad_real along = sum[1];
  sum[1] = sum[2];
  sum[2] = sum[3];
  sum[3] = along;
}

#endif
