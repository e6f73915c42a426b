/* Shapes of cells: their corners and sides. Corners are numbered as in Gmsh and CGNS. The order of a side's points is
 * such that its normal points out of the cell. The sides of a polyhedron are stored in the mesh. */
#ifndef TRIAD_MESH_SHAPES_H
#define TRIAD_MESH_SHAPES_H

#include <stdint.h>

typedef enum triad_mesh_shape {
  TRIAD_MESH_TET,
  TRIAD_MESH_PYRAMID,
  TRIAD_MESH_PRISM,
  TRIAD_MESH_HEX,
  TRIAD_MESH_POLYHEDRON,
  TRIAD_MESH_SHAPES
} triad_mesh_shape;

enum { TRIAD_MESH_CORNERS = 8, TRIAD_MESH_SIDES = 6, TRIAD_MESH_SIDE_POINTS = 4 };

typedef struct triad_mesh_shape_info {
  const char *name, *names; /* one, many */
  int corners, sides, vtk;  /* vtk: number of the type in VTK files; a polyhedron has 0 corners and sides here */
  int8_t points[TRIAD_MESH_SIDES], side[TRIAD_MESH_SIDES][TRIAD_MESH_SIDE_POINTS];
  int8_t to_vtk[TRIAD_MESH_CORNERS]; /* corner i of VTK's cell is to_vtk[i] here */
} triad_mesh_shape_info;

extern const triad_mesh_shape_info triad_mesh_shapes[TRIAD_MESH_SHAPES];

#endif
