/* Known shapes of cells that are given by their faces. */
#ifndef TRIAD_MESH_READ_FACE_SHAPES_H
#define TRIAD_MESH_READ_FACE_SHAPES_H

#include "mesh/shapes.h"

/* Face f, from 0, has the points face[first_face[f]] .. face[first_face[f + 1] - 1]; cell c the faces
 * cell[first_cell[c]] .., numbered from 1, with a minus sign if the normal of the face points into the cell. */
typedef struct triad_mesh_face_view {
  const int64_t *first_cell, *cell, *first_face, *face;
} triad_mesh_face_view;

/* The known shape of a cell with these faces, and its corners in the order of shapes.h; -1: it has none. */
int triad_mesh_face_shape(const triad_mesh_face_view *view, int64_t cell, int64_t corner[TRIAD_MESH_CORNERS]);

#endif
