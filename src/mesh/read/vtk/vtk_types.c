/* Types of cells by their numbers in VTK (vtkCellType.h). Prisms of both orientations are found in files; they are
 * reordered by their volume, like all cells. */
#include "mesh/read/vtk/vtk_types.h"

#include <stddef.h>

#define PLAIN \
  { \
    0, 1, 2, 3, 4, 5, 6, 7 \
  }
#define LINE TRIAD_MESH_LINE
#define TRIANGLE TRIAD_MESH_TRIANGLE
#define QUAD TRIAD_MESH_QUAD

static const triad_mesh_vtk_type types[] = {
  {1, -1, 1, 0, PLAIN},                                 /* vertex */
  {2, -1, 0, 0, PLAIN},                                 /* several vertices */
  {3, LINE, 2, 0, PLAIN},                               /* line */
  {4, -1, 0, 0, PLAIN},                                 /* several lines */
  {5, TRIANGLE, 3, 0, PLAIN},                           /* triangle */
  {8, QUAD, 4, 0, {0, 1, 3, 2}},                        /* pixel */
  {9, QUAD, 4, 0, PLAIN},                               /* quadrilateral */
  {10, TRIAD_MESH_TET, 4, 0, PLAIN},                    /* tetrahedron */
  {11, TRIAD_MESH_HEX, 8, 0, {0, 1, 3, 2, 4, 5, 7, 6}}, /* voxel */
  {12, TRIAD_MESH_HEX, 8, 0, PLAIN},                    /* hexahedron */
  {13, TRIAD_MESH_PRISM, 6, 0, PLAIN},                  /* wedge */
  {14, TRIAD_MESH_PYRAMID, 5, 0, PLAIN},                /* pyramid */
  {21, LINE, 3, 1, PLAIN},                              /* second order from here on */
  {22, TRIANGLE, 6, 1, PLAIN},
  {23, QUAD, 8, 1, PLAIN},
  {24, TRIAD_MESH_TET, 10, 1, PLAIN},
  {25, TRIAD_MESH_HEX, 20, 1, PLAIN},
  {26, TRIAD_MESH_PRISM, 15, 1, PLAIN},
  {27, TRIAD_MESH_PYRAMID, 13, 1, PLAIN},
  {28, QUAD, 9, 1, PLAIN},
  {29, TRIAD_MESH_HEX, 27, 1, PLAIN},
  {32, TRIAD_MESH_PRISM, 18, 1, PLAIN},
  {33, TRIAD_MESH_HEX, 24, 1, PLAIN},
  {68, LINE, 0, 1, PLAIN}, /* Lagrange's, of any order */
  {69, TRIANGLE, 0, 1, PLAIN},
  {70, QUAD, 0, 1, PLAIN},
  {71, TRIAD_MESH_TET, 0, 1, PLAIN},
  {72, TRIAD_MESH_HEX, 0, 1, PLAIN},
  {73, TRIAD_MESH_PRISM, 0, 1, PLAIN},
  {74, TRIAD_MESH_PYRAMID, 0, 1, PLAIN},
};

const triad_mesh_vtk_type *triad_mesh_vtk_type_of(int64_t type)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type) return &types[i];
  return NULL;
}
