/* Meshes of polyhedra, whose cells have any number of sides with any number of points, from numbered faces, as in
 * files whose cells are lists of faces (NGON_n and NFACE_n of CGNS, faces and owners in other formats). A reader fills
 * triad_mesh_faceted and then calls
 *
 *   triad_mesh_of_faces(&m, memory, &given)   the cells, in the given order: shape, first, corner and their sides
 *   triad_mesh_join(m)                        as for any other mesh
 *   and sets m->patch[f] of each outer face f to the patch of given face number
 *   abs(triad_mesh_face_given(&given, m, f)) - 1
 *
 * A side that the file gives as two faces (for example next to a refined neighbour) becomes two sides. Cells of the
 * other shapes may occur in the same mesh (see make/honeycomb.c): a quadrilateral side of a polyhedron matches two
 * triangles, like that of a hexahedron. */
#ifndef TRIAD_MESH_POLYHEDRA_H
#define TRIAD_MESH_POLYHEDRA_H

#include "mesh/mesh.h"

/* Points are numbered from 0. A cell's faces are numbered from 1, with a minus sign if the normal of the face points
 * into the cell, as in NFACE_n. The arrays must exist only during the call. */
typedef struct triad_mesh_faceted {
  int64_t n_points, n_faces, n_cells;
  const double (*x)[3];
  const int64_t *first_point; /* [n_faces + 1] into point */
  const int32_t *point;
  const int64_t *first_face; /* [n_cells + 1] into face  */
  const int32_t *face;
} triad_mesh_faceted;

/* Create a mesh from numbered faces. TRIAD_ERR_CASE, with the cell or face, if a number is out of range, a face has
 * fewer than 3 points or more than TRIAD_MESH_MAX_FACE_POINTS, or a cell has fewer than 4 faces. Not collective. */
int triad_mesh_of_faces(triad_mesh **out, triad_memory *memory, const triad_mesh_faceted *given);

/* The number in `face` from which face f of such a mesh was made, as listed by the cell on its left. */
int32_t triad_mesh_face_given(const triad_mesh_faceted *given, const triad_mesh *mesh, int64_t f);

/* Allocate first_side, first_loop and loop for `sides` sides of polyhedra with `points` points in all. For callers
 * that fill a mesh cell by cell. */
int triad_mesh_alloc_sides(triad_mesh *mesh, int64_t sides, int64_t points);

/* Number of points of all sides of polyhedra. */
static inline int64_t triad_mesh_loop_points(const triad_mesh *mesh)
{
  return mesh->first_side ? mesh->first_loop[mesh->first_side[mesh->n_cells]] : 0;
}

#endif
