/* A polyhedron as tetrahedra and pyramids. */
#ifndef TRIAD_MESH_PIECES_H
#define TRIAD_MESH_PIECES_H

#include "mesh/polyhedra.h"

/* Cut each polyhedron into pyramids and tetrahedra with their apex at its centre, for files of fields, since format
 * 1.0 of VTKHDF has no polyhedra. The result has cells and no faces. Sides with more than four points are split into
 * triangles around their mean. cell[i]: the cell that piece i belongs to. The caller owns both results. */
int triad_mesh_pieces(triad_mesh **out, int32_t **cell, const triad_mesh *mesh);

/* Add the points that cutting a cell adds, its pieces, and their corners to these counts. */
void triad_mesh_pieces_count(const triad_mesh *mesh, int64_t cell, int64_t *points, int64_t *cells, int64_t *corners);

#endif
