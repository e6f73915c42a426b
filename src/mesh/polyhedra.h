/* Meshes of polyhedra, cells of any number of sides with any number of points, from faces that are numbered once, as
 * files have them whose cells are lists of faces (NGON_n and NFACE_n of CGNS, faces and owners of others). A reader
 * fills triad_mesh_faceted, from arrays of its own or of its process, and then
 *
 *   triad_mesh_of_faces(&m, memory, &given)   the cells, in the order given: shape, first, corner and their sides
 *   triad_mesh_join(m)                        as for any other mesh
 *   for each outer face f: m->patch[f], from the patch of given face number abs(triad_mesh_face_given(&given, m, f))
 *   - 1
 *
 * A side that the file gives as two faces, as where a neighbour is refined, is two sides. Cells of known shapes may
 * stand in the same mesh (see honeycomb.c): a quadrilateral side of a polyhedron meets two triangles as that of a
 * hexahedron. */
#ifndef TRIAD_MESH_POLYHEDRA_H
#define TRIAD_MESH_POLYHEDRA_H

#include "mesh/mesh.h"

/* Points are numbered from 0. A cell's faces are numbered from 1, with a minus where the face's points go round so
 * that its normal points into the cell: what NFACE_n says. The arrays outlive the call only. */
typedef struct triad_mesh_faceted {
  int64_t n_points, n_faces, n_cells;
  const double (*x)[3];
  const int64_t *first_point; /* [n_faces + 1] into point */
  const int32_t *point;
  const int64_t *first_face; /* [n_cells + 1] into face  */
  const int32_t *face;
} triad_mesh_faceted;

/* TRIAD_ERR_CASE with the cell or face where a number is out of range, a face has fewer than 3 points or more than
 * TRIAD_MESH_MAX_FACE_POINTS, or a cell fewer than 4 faces. Not collective. */
int triad_mesh_of_faces(triad_mesh **out, triad_memory *memory, const triad_mesh_faceted *given);

/* What was given for face f of a mesh made so and joined: its number in `face`, by the cell on its left. */
int32_t triad_mesh_face_given(const triad_mesh_faceted *given, const triad_mesh *mesh, int64_t f);

/* Room for sides of polyhedra, `sides` with `points` in all, for who fills a mesh cell by cell: first_side,
 * first_loop and loop. */
int triad_mesh_alloc_sides(triad_mesh *mesh, int64_t sides, int64_t points);

/* Points of all sides of its polyhedra. */
static inline int64_t triad_mesh_loop_points(const triad_mesh *mesh)
{
  return mesh->first_side ? mesh->first_loop[mesh->first_side[mesh->n_cells]] : 0;
}

/* ---- pieces.c ---- */

/* The mesh with each polyhedron cut into pyramids and tetrahedra over its centre, as files of fields have it, since
 * format 1.0 of VTKHDF has no polyhedra: cells alone, no faces. Of sides of more than four points triangles go round
 * their mean. cell[i]: whose piece cell i is. Both belong to the caller. */
int triad_mesh_pieces(triad_mesh **out, int32_t **cell, const triad_mesh *mesh);

#endif
