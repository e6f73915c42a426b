/* Geometry of faces between tetrahedra from their corners: 16 bytes per cell and 32 per point instead of nine numbers
 * per face, for GPUs, where memory is scarce. Geometry is stored for other faces: on patches, periodic ones, those of
 * prisms and the like. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_TETS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_TETS_H

#include "solvers/unstructured/points/loops_points.h"

/* ---- which faces ---- */

/* Index in view.geometry of a face with stored geometry; -1: it is computed from the corners. */
TRIAD_POINT_INLINE int64_t triad_unstructured_kept(const triad_unstructured_kept_word *words, int64_t n_inner,
                                                   int64_t n_pointed, int64_t face)
{
  if (face >= n_inner || n_pointed == 0) return face;
  if (!words) return -1;
  const triad_unstructured_kept_word of = words[face / 32];
  const uint32_t bit = (uint32_t)1 << face % 32;
#ifdef __CUDA_ARCH__
  const int before = __popc(of.bits & (bit - 1));
#else
  const int before = __builtin_popcount(of.bits & (bit - 1));
#endif
  return of.bits & bit ? n_pointed + of.before + before : -1;
}

/* ---- corners ---- */

typedef struct triad_unstructured_tet {
  int32_t point[4];
} triad_unstructured_tet;

/* In one access. */
TRIAD_POINT_INLINE triad_unstructured_tet triad_unstructured_tet_of(const triad_unstructured_view *v, int64_t cell)
{
#ifdef __CUDA_ARCH__
  const int4 c = *(const int4 *)v->corner[cell];
  const triad_unstructured_tet tet = {{c.x, c.y, c.z, c.w}};
#else
  const int32_t *c = v->corner[cell];
  const triad_unstructured_tet tet = {{c[0], c[1], c[2], c[3]}};
#endif
  return tet;
}

/* In two. */
TRIAD_POINT_INLINE void triad_unstructured_point_of(const triad_unstructured_view *v, int32_t point, double x[3])
{
#ifdef __CUDA_ARCH__
  const double2 *at = (const double2 *)v->point[point], xy = at[0];
  x[0] = xy.x;
  x[1] = xy.y;
  x[2] = at[1].x;
#else
  for (int a = 0; a < 3; a++) x[a] = v->point[point][a];
#endif
}

/* Sort the points of two tetrahedra with a common face: the common points of `own` first, in their order, and the
 * opposite one last. Returns the opposite point of `near`. */
TRIAD_POINT_INLINE int32_t triad_unstructured_opposite(triad_unstructured_tet *own, const triad_unstructured_tet *near)
{
  int32_t *p = own->point;
  const int32_t *q = near->point;
  const int32_t last = p[3];
  int found = 3;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 2; k >= 0; k--) found = ((p[k] == q[0]) | (p[k] == q[1]) | (p[k] == q[2]) | (p[k] == q[3])) ? found : k;
  p[3] = found == 0 ? p[0] : found == 1 ? p[1] : found == 2 ? p[2] : last;
  p[0] = found == 0 ? p[1] : p[0];
  p[1] = found <= 1 ? p[2] : p[1];
  p[2] = found <= 2 ? last : p[2];
  return p[0] ^ p[1] ^ p[2] ^ q[0] ^ q[1] ^ q[2] ^ q[3];
}

/* ---- geometry from corners ---- */

/* The geometry of the face of a tetrahedron opposite to its point p, with corners a b c as seen from p; the point
 * across is q. With all points relative to a, the area vector is b x c / 2, pointing away from p. As centres are means
 * of corners, the vector from p's cell to the face is (b + c)/12 - p/4, and to the other cell (q - p)/4. In double
 * precision, since coordinates may be large compared with their differences. */
TRIAD_POINT_INLINE void triad_unstructured_numbers_of_points(const double a[3], double b[3], double c[3], double p[3],
                                                             double q[3], triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY])
{
  double from[3], area[3];
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 3; k++) {
    b[k] -= a[k];
    c[k] -= a[k];
    p[k] -= a[k];
    q[k] -= a[k];
    from[k] = (b[k] + c[k]) / 12 - p[k] / 4;
  }
  area[0] = b[1] * c[2] - b[2] * c[1];
  area[1] = b[2] * c[0] - b[0] * c[2];
  area[2] = b[0] * c[1] - b[1] * c[0];
  const double half = area[0] * from[0] + area[1] * from[1] + area[2] * from[2] > 0 ? 0.5 : -0.5;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 3; k++) {
    out[k] = (triad_real)(half * area[k]);
    out[3 + k] = (triad_real)from[k];
    out[6 + k] = (triad_real)((q[k] - p[k]) / 4);
  }
}

TRIAD_POINT_INLINE void triad_unstructured_numbers_between(const triad_unstructured_view *v,
                                                           triad_unstructured_tet left, triad_unstructured_tet right,
                                                           triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY])
{
  double a[3], b[3], c[3], p[3], q[3];
  const int32_t other = triad_unstructured_opposite(&left, &right);
  triad_unstructured_point_of(v, left.point[0], a);
  triad_unstructured_point_of(v, left.point[1], b);
  triad_unstructured_point_of(v, left.point[2], c);
  triad_unstructured_point_of(v, left.point[3], p);
  triad_unstructured_point_of(v, other, q);
  triad_unstructured_numbers_of_points(a, b, c, p, q, out);
}

/* Face `face`, between cells l and r, whether geometry has it or not. */
TRIAD_POINT_INLINE void triad_unstructured_face_between(const triad_unstructured_view *v, int64_t face, int64_t l,
                                                        int64_t r, triad_unstructured_face *out)
{
  triad_real numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
  const int64_t kept = triad_unstructured_kept(v->kept_words, v->n_inner, v->n_pointed, face);
  if (kept >= 0) triad_unstructured_load(&v->geometry, kept, TRIAD_UNSTRUCTURED_GEOMETRY, numbers);
  else triad_unstructured_numbers_between(v, triad_unstructured_tet_of(v, l), triad_unstructured_tet_of(v, r), numbers);
  triad_unstructured_face_of(numbers, out);
}

/* ---- loops ---- */

/* triad_unstructured_face_fluxes of a face between cells, whichever it is. */
TRIAD_POINT_INLINE void triad_unstructured_tet_fluxes(const triad_unstructured_view *v, int64_t face, int64_t l,
                                                      int64_t r, int low, triad_gas_riemann riemann, int high)
{
  triad_unstructured_face is;
  triad_unstructured_face_between(v, face, l, r, &is);
  triad_unstructured_fluxes_between(v, face, &is, l, r, low, riemann, high);
}

/* triad_unstructured_kept of the face of a row's side. What has no cell of its own across has a face of numbers. */
TRIAD_POINT_INLINE int64_t triad_unstructured_kept_at(const triad_unstructured_view *v, int64_t at, int s, int64_t cell,
                                                      int64_t near)
{
  if (!v->kept_words && near < v->n_seen && near != cell) return -1;
  return triad_unstructured_kept(v->kept_words, v->n_inner, v->n_pointed,
                                 v->side[at + s * TRIAD_UNSTRUCTURED_SLICE] >> 1);
}

/* triad_unstructured_add_slope of a row whose corners are `own`. Seen from there, what is across lies outwards: the
 * side's sign isn't asked for. */
TRIAD_POINT_INLINE void triad_unstructured_add_tet_slope(const triad_unstructured_view *v, int64_t at, int s,
                                                         int64_t cell, triad_unstructured_tet own, triad_real distance,
                                                         triad_real *sum, double *squares, int step)
{
  triad_real across[3], sign = 1;
  const int64_t near = v->near[at + s * TRIAD_UNSTRUCTURED_SLICE],
                kept = triad_unstructured_kept_at(v, at, s, cell, near);
  if (kept >= 0) {
    sign = v->side[at + s * TRIAD_UNSTRUCTURED_SLICE] & 1 ? TRIAD_R(-1) : TRIAD_R(1);
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) across[a] = v->geometry.at[(6 + a) * v->geometry.pitch + kept];
  } else {
    double p[3], q[3];
    const triad_unstructured_tet other = triad_unstructured_tet_of(v, near);
    const int32_t opposite = triad_unstructured_opposite(&own, &other);
    triad_unstructured_point_of(v, own.point[3], p);
    triad_unstructured_point_of(v, opposite, q);
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) across[a] = (triad_real)((q[a] - p[a]) / 4);
  }
  triad_unstructured_add_slope_across(v, near, sign, across, 1, cell, distance, sum, squares, step);
}

/* triad_unstructured_add_reach of a row. */
TRIAD_POINT_INLINE void triad_unstructured_add_tet_reach(const triad_unstructured_view *v, int64_t at, int s,
                                                         int64_t cell, triad_unstructured_tet own,
                                                         const triad_real *sum, const triad_real *range,
                                                         triad_real *part, int step)
{
  triad_real d[3], numbers[TRIAD_UNSTRUCTURED_GEOMETRY];
  const int64_t near = v->near[at + s * TRIAD_UNSTRUCTURED_SLICE],
                kept = triad_unstructured_kept_at(v, at, s, cell, near);
  if (kept >= 0) {
    triad_unstructured_to_face(v, kept, v->side[at + s * TRIAD_UNSTRUCTURED_SLICE] & 1, d);
  } else {
    triad_unstructured_numbers_between(v, own, triad_unstructured_tet_of(v, near), numbers);
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) d[a] = numbers[3 + a];
  }
  triad_unstructured_add_reach_to(v, d, cell, sum, range, part, step);
}

#endif
