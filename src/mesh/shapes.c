/* The table of cell shapes (shapes.h). */
#include "mesh/shapes.h"

const triad_mesh_shape_info triad_mesh_shapes[TRIAD_MESH_SHAPES] = {
  [TRIAD_MESH_TET] =
    {"tetrahedron", "tetrahedra", 4, 4, 10, {3, 3, 3, 3}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, {0, 1, 2, 3}},
  [TRIAD_MESH_PYRAMID] = {"pyramid",
                          "pyramids",
                          5,
                          5,
                          14,
                          {4, 3, 3, 3, 3},
                          {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
                          {0, 1, 2, 3, 4}},
  [TRIAD_MESH_PRISM] = {"prism",
                        "prisms",
                        6,
                        5,
                        13,
                        {3, 3, 4, 4, 4},
                        {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
                        {0, 2, 1, 3, 5, 4}},
  [TRIAD_MESH_HEX] = {"hexahedron",
                      "hexahedra",
                      8,
                      6,
                      12,
                      {4, 4, 4, 4, 4, 4},
                      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
                      {0, 1, 2, 3, 4, 5, 6, 7}},
  [TRIAD_MESH_POLYHEDRON] = {.name = "polyhedron", .names = "polyhedra", .vtk = 42},
};
