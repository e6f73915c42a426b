/* Shapes of cells: their corners and sides. Corners as Gmsh and CGNS number them; a side's points go round it so that
 * its normal points out of the cell. Of a polyhedron the mesh itself has the sides. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_SHAPES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_SHAPES_H

#include <stdint.h>

typedef enum triad_fct_shape {
  TRIAD_FCT_TET,
  TRIAD_FCT_PYRAMID,
  TRIAD_FCT_PRISM,
  TRIAD_FCT_HEX,
  TRIAD_FCT_POLYHEDRON,
  TRIAD_FCT_SHAPES
} triad_fct_shape;

enum { TRIAD_FCT_CORNERS = 8, TRIAD_FCT_SIDES = 6, TRIAD_FCT_SIDE_POINTS = 4 };

typedef struct triad_fct_shape_info {
  const char *name, *names; /* one, many */
  int corners, sides, vtk;  /* vtk: number of the type in VTK's files; of a polyhedron 0 corners and sides */
  int8_t points[TRIAD_FCT_SIDES], side[TRIAD_FCT_SIDES][TRIAD_FCT_SIDE_POINTS];
  int8_t to_vtk[TRIAD_FCT_CORNERS]; /* corner i of VTK's cell is to_vtk[i] here */
} triad_fct_shape_info;

extern const triad_fct_shape_info triad_fct_shapes[TRIAD_FCT_SHAPES];

#endif
