/* The data of loops over faces and cells, on any device, as structures of arrays: neighbours in a loop are neighbours
 * in memory.
 *
 * Functions of a cell visit its sides. These come from lists, in slices of 32 rows, or, in a structured zone, from the
 * cell's number; whether `zone` is NULL is known at compile time. `at` is the position of the row in the lists, or the
 * zone's cell. The caller stores sums over sides with stride `step`: the lanes of a loop on the CPU, 1 on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_VIEW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_VIEW_H

#include "solvers/unstructured/points/transport_points.h"
#include "mesh/zone.h"

enum {
  TRIAD_UNSTRUCTURED_SLICE = 32,
  TRIAD_UNSTRUCTURED_VALUES = 6, /* primitive values of a cell, and its speed of sound */
  TRIAD_UNSTRUCTURED_GRADIENT = 15,
  TRIAD_UNSTRUCTURED_BOUNDS = 4, /* maxima of density, -density, pressure, -pressure */
  /* of a face: limiter factors of the cell on its left and of that on its right */
  TRIAD_UNSTRUCTURED_PARTS = 2,
  /* factors for rises and falls of density and pressure; velocity; sides over density; rounding of the pressure */
  TRIAD_UNSTRUCTURED_LIMITS = 9,
  TRIAD_UNSTRUCTURED_ENOUGH = 6,  /* sides that a cell needs for gradients of its own */
  TRIAD_UNSTRUCTURED_SQUARES = 6, /* of least squares, a symmetric matrix: xx, xy, xz, yy, yz, zz */
  /* numbers added to squares of distances in the weights of gradients, and to the diagonal of their squares */
  TRIAD_UNSTRUCTURED_SOFTENING = 2,
  TRIAD_UNSTRUCTURED_GEOMETRY =
    /* a face's area vector; from its left cell's centre to its own; from the left cell's centre to the right cell's,
     * for an outer face to the mirror image of the left one's */
  9
};

/* Number k of cell or face i is at[k * pitch + i]. */
typedef struct triad_unstructured_numbers {
  triad_real *at;
  int64_t pitch;
} triad_unstructured_numbers;

/* For 32 faces between cells: a bit for each that says whether its geometry is stored, and the count of stored ones
 * before these. */
typedef struct triad_unstructured_kept_word {
  uint32_t bits;
  int32_t before;
} triad_unstructured_kept_word;

/* The arrays of loops. slope: gradients before the mean over neighbours; the same as gradient if there is no mean.
 * Cell entries: own cells, ghosts, twins of bricks (domain.h), then one beyond each outer face; td, slopes, gradients,
 * bounds and limits are not stored for bricks. geometry: by face number; with corners, faces between cells are at
 * triad_unstructured_kept (tets.h), or not stored. */
typedef struct triad_unstructured_view {
  triad_gas_constants gas;
  triad_real slack;
  int limited, bounded; /* limited: TRIAD_UNSTRUCTURED_LIMIT_..; bounded: 1 if there is a limiter */
  int flat;             /* 1: gradients may leave the range of the neighbours; 0: widen limits them */
  int64_t n_cells, n_seen, n_inner, n_faces; /* n_seen: own cells, ghosts, twins */
  triad_unstructured_numbers u, td, value, slope, gradient, bound, limit, low, anti, geometry;
  triad_unstructured_numbers softening; /* of own cells, TRIAD_UNSTRUCTURED_SOFTENING; NULL: none */
  /* with zones of bricks on a GPU: values written by the first stage of a step; in the second stage
   * those of the start */
  triad_unstructured_numbers before;
  triad_unstructured_numbers
    part; /* limiter factors of listed faces, and on a GPU of upper faces of bricks: TRIAD_UNSTRUCTURED_PARTS */
  /* first cell whose limits are stored because other ranks see them; ghosts follow */
  int64_t limits_from;
  /* speed: area times the faster wave of a face, until td exists; per_volume: 1/V of cells */
  triad_real *speed, *per_volume;
  const int32_t (*cell)[2];
  const int64_t *start;       /* offset of a slice of rows in near and side */
  const int32_t *near, *side; /* cell across; 2 face + (0: on the left of it, 1: on its right) */
  const uint8_t *sides;       /* number of sides of a row */
  const int32_t (*corner)[4]; /* of listed cells that are tetrahedra; NULL: geometry has all faces */
  const double (*point)[4];   /* positions of corners; the fourth number pads a point to a memory sector of a GPU */
  const triad_unstructured_kept_word
    *kept_words;     /* for faces between cells; NULL: geometry is stored for none or for all */
  int64_t n_pointed; /* number of faces between cells without stored geometry */
} triad_unstructured_view;

/* ---- cells and faces across sides ---- */

TRIAD_POINT_INLINE int64_t triad_unstructured_near(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                   int64_t at, int s)
{
  if (zone) return at + zone->near[s];
  return v->near[at + s * TRIAD_UNSTRUCTURED_SLICE];
}

/* The face of a side; *sign: 1 if its flux leaves the cell, -1 if it enters. */
TRIAD_POINT_INLINE int64_t triad_unstructured_face_at(const triad_unstructured_view *v, const triad_mesh_zone *zone,
                                                      int64_t at, int s, triad_real *sign)
{
  if (zone) {
    *sign = s & 1 ? TRIAD_R(1) : TRIAD_R(-1);
    return at + zone->face[s];
  }
  const int32_t side = v->side[at + s * TRIAD_UNSTRUCTURED_SLICE];
  *sign = side & 1 ? TRIAD_R(-1) : TRIAD_R(1);
  return side >> 1;
}

/* Index among cells of the entry beyond an outer face. */
TRIAD_POINT_INLINE int64_t triad_unstructured_beyond_face(const triad_unstructured_view *v, int64_t face)
{
  return v->n_seen + face - v->n_inner;
}

/* Address of the limiter factor of the cell on the left (side 0) or on the right of a face. */
TRIAD_POINT_INLINE triad_real *triad_unstructured_part_place(const triad_unstructured_view *v, int64_t face, int side)
{
  return v->part.at + side * v->part.pitch + face;
}

TRIAD_POINT_INLINE void triad_unstructured_load(const triad_unstructured_numbers *from, int64_t i, int n,
                                                triad_real *out)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < n; k++) out[k] = from->at[k * from->pitch + i];
}

TRIAD_POINT_INLINE void triad_unstructured_store(const triad_unstructured_numbers *to, int64_t i, int n,
                                                 const triad_real *in)
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < n; k++) to->at[k * to->pitch + i] = in[k];
}

/* ---- geometry of faces ---- */

/* A face's unit normal and its area, g[3]. */
TRIAD_POINT_INLINE void triad_unstructured_normal(const triad_unstructured_view *v, int64_t face, triad_real g[4])
{
  triad_unstructured_load(&v->geometry, face, 3, g);
  g[3] = TRIAD_SQRT(triad_gas_dot3(g, g));
  const triad_real per_area = 1 / g[3];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) g[a] *= per_area;
}

/* A face of its numbers. */
TRIAD_POINT_INLINE void triad_unstructured_face_of(const triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY],
                                                   triad_unstructured_face *out)
{
  out->area = TRIAD_SQRT(triad_gas_dot3(numbers, numbers));
  const triad_real per_area = 1 / out->area;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) {
    out->n[a] = numbers[a] * per_area;
    out->from[0][a] = numbers[3 + a];
    out->from[1][a] = numbers[3 + a] - numbers[6 + a];
  }
}

/* A face that geometry has. */
TRIAD_POINT_INLINE void triad_unstructured_load_face(const triad_unstructured_view *v, int64_t face,
                                                     triad_unstructured_face *out)
{
  triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
  triad_unstructured_load(&v->geometry, face, TRIAD_UNSTRUCTURED_GEOMETRY, numbers);
  triad_unstructured_face_of(numbers, out);
}

/* To a face's centre from that of the cell on its left (side 0) or right. */
TRIAD_POINT_INLINE void triad_unstructured_to_face(const triad_unstructured_view *v, int64_t face, int side,
                                                   triad_real d[3])
{
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) {
    const triad_real from = v->geometry.at[(3 + a) * v->geometry.pitch + face];
    d[a] = side ? from - v->geometry.at[(6 + a) * v->geometry.pitch + face] : from;
  }
}

#endif
