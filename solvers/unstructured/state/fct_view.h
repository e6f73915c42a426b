/* What loops over faces and cells see, on any device: numbers lie one array behind the other, so that neighbours in
 * a loop are neighbours in memory.
 *
 * Functions of a cell go through its sides. Where these are comes from lists, in slices of 32 rows, or, in a
 * structured zone, from the cell's number; `zone` NULL or not is known when they are compiled. `at` is the row's
 * place in the lists, or the zone's cell. Sums over sides are kept by the caller, `step` apart: lanes of a loop on
 * the CPU, 1 on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_FCT_VIEW_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_FCT_VIEW_H

#include "solvers/unstructured/points/fct_points.h"
#include "mesh/zone.h"

enum {
  TRIAD_FCT_SLICE = 32,
  TRIAD_FCT_VALUES = 6, /* primitive values of a cell, and its speed of sound                           */
  TRIAD_FCT_GRADIENT = 15,
  TRIAD_FCT_BOUNDS = 4, /* largest density, -density, pressure, -pressure                               */
  /* of a face: what part of its antidiffusive flux the cell on its left can take, and that on its right */
  TRIAD_FCT_PARTS = 2,
  /* parts of rises and falls of density, of pressure; velocity; sides over density; a rounding of the pressure */
  TRIAD_FCT_LIMITS = 9,
  TRIAD_FCT_ENOUGH = 6,  /* sides of a cell whose gradients are its own                                 */
  TRIAD_FCT_SQUARES = 6, /* of least squares, a symmetric matrix: xx, xy, xz, yy, yz, zz                */
  /* what is added to squares of distances in weights of a cell's gradients, and to the diagonal of their squares */
  TRIAD_FCT_SOFTENING = 2,
  TRIAD_FCT_GEOMETRY =
    9 /* a face's area vector; from its left cell's centre to its own; from there to the right cell's, of
                             * an outer face to the mirror image of the left one's */
};

/* Number k of cell or face i is at[k * pitch + i]. */
typedef struct triad_fct_numbers {
  triad_real *at;
  int64_t pitch;
} triad_fct_numbers;

/* Of 32 faces between cells: a bit for each of which geometry has numbers, and of how many before these it has. */
typedef struct triad_fct_kept_word {
  uint32_t bits;
  int32_t before;
} triad_fct_kept_word;

/* What loops see. slope: gradients before the mean over neighbours is taken; where it is not, gradient itself.
 * Cells: own ones, ghosts, twins of bricks (domain.h), then one beyond each outer face; of td, slopes, gradients,
 * bounds and limits there are none of bricks. geometry: of a face by its number; but where there are corners, of
 * faces between cells at triad_fct_kept (fct_tets.h), or nowhere. */
typedef struct triad_fct_view {
  triad_fct_gas gas;
  triad_real slack;
  int limited, bounded; /* TRIAD_FCT_LIMIT_..; is there a limiter at all? */
  int flat;             /* do gradients leave what a cell's neighbours have? If not, widen cuts them */
  int64_t n_cells, n_seen, n_inner, n_faces; /* seen: own cells, ghosts, twins   */
  triad_fct_numbers u, td, value, slope, gradient, bound, limit, low, anti, geometry;
  triad_fct_numbers softening; /* of own cells, TRIAD_FCT_SOFTENING; NULL: nothing */
  /* where there are zones of bricks, on a GPU: where a step's first stage puts values; in the second one those of
   * the start */
  triad_fct_numbers before;
  triad_fct_numbers part; /* of faces in lists, and on a GPU of upper faces of bricks: TRIAD_FCT_PARTS */
  /* of cells from this number on limits are kept, which other ranks see, and of ghosts */
  int64_t limits_from;
  triad_real *speed, *per_volume; /* area times the faster wave of a face, until there is td; of cells 1/V */
  const int32_t (*cell)[2];
  const int64_t *start;       /* of a slice of rows in near and side                */
  const int32_t *near, *side; /* cell across; 2 face + (0 on the left, 1 on the right) of it */
  const uint8_t *sides;       /* of a row                                           */
  const int32_t (*corner)[4]; /* of listed cells that are tetrahedra; NULL: geometry has all faces  */
  const double (*point)[4];   /* where corners are; the fourth is nothing: a point is a sector of a GPU's memory */
  const triad_fct_kept_word *kept_words; /* of faces between cells; NULL: of none geometry has numbers, or of all */
  int64_t n_pointed;                     /* faces between cells of which it has none */
} triad_fct_view;

/* ---- where things are ---- */

TRIAD_POINT_INLINE int64_t triad_fct_near(const triad_fct_view *v, const triad_mesh_zone *zone, int64_t at, int s)
{
  if (zone) return at + zone->near[s];
  return v->near[at + s * TRIAD_FCT_SLICE];
}

/* The face of a side; *sign: 1 where what passes it leaves the cell, -1 where it comes in. */
TRIAD_POINT_INLINE int64_t triad_fct_face_at(const triad_fct_view *v, const triad_mesh_zone *zone, int64_t at, int s,
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
TRIAD_POINT_INLINE int64_t triad_fct_beyond_face(const triad_fct_view *v, int64_t face)
{
  return v->n_seen + face - v->n_inner;
}

/* Where the part of a face's antidiffusive flux is that the cell on its left (side 0) can take, or that on its
 * right. */
TRIAD_POINT_INLINE triad_real *triad_fct_part_place(const triad_fct_view *v, int64_t face, int side)
{
  return v->part.at + side * v->part.pitch + face;
}

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

/* ---- where faces are ---- */

/* A face's unit normal and its area, g[3]. */
TRIAD_POINT_INLINE void triad_fct_normal(const triad_fct_view *v, int64_t face, triad_real g[4])
{
  triad_fct_load(&v->geometry, face, 3, g);
  g[3] = TRIAD_SQRT(triad_fct_dot(g, g));
  const triad_real per_area = 1 / g[3];
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) g[a] *= per_area;
}

/* A face of its numbers. */
TRIAD_POINT_INLINE void triad_fct_face_of(const triad_real numbers[TRIAD_FCT_GEOMETRY], triad_fct_face *out)
{
  out->area = TRIAD_SQRT(triad_fct_dot(numbers, numbers));
  const triad_real per_area = 1 / out->area;
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) {
    out->n[a] = numbers[a] * per_area;
    out->from[0][a] = numbers[3 + a];
    out->from[1][a] = numbers[3 + a] - numbers[6 + a];
  }
}

/* A face that geometry has. */
TRIAD_POINT_INLINE void triad_fct_load_face(const triad_fct_view *v, int64_t face, triad_fct_face *out)
{
  triad_real numbers[TRIAD_FCT_GEOMETRY];
  triad_fct_load(&v->geometry, face, TRIAD_FCT_GEOMETRY, numbers);
  triad_fct_face_of(numbers, out);
}

/* To a face's centre from that of the cell on its left (side 0) or right. */
TRIAD_POINT_INLINE void triad_fct_to_face(const triad_fct_view *v, int64_t face, int side, triad_real d[3])
{
  TRIAD_FCT_UNROLL
  for (int a = 0; a < 3; a++) {
    const triad_real from = v->geometry.at[(3 + a) * v->geometry.pitch + face];
    d[a] = side ? from - v->geometry.at[(6 + a) * v->geometry.pitch + face] : from;
  }
}

#endif
