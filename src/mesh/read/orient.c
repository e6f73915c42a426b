/* The sign of a cell's volume, and the order of corners of its mirror image (orient.h). */
#include "mesh/read/orient.h"
#include "mesh/shapes.h"

int triad_mesh_is_left_handed(int shape, const int32_t *corner, const double (*x)[3])
{
  const triad_mesh_shape_info *s = &triad_mesh_shapes[shape];
  const double *o = x[corner[0]];
  double sum = 0;
  for (int side = 0; side < s->sides; side++)
    for (int k = 1; k + 1 < s->points[side]; k++) {
      const int8_t at[3] = {s->side[side][0], s->side[side][k], s->side[side][k + 1]};
      double v[3][3];
      for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) v[i][a] = x[corner[at[i]]][a] - o[a];
      sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
             v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
  return sum / 6 < 0;
}

void triad_mesh_reverse(int shape, int32_t *corner)
{
  static const int8_t swap[TRIAD_MESH_POLYHEDRON][2][2] = {[TRIAD_MESH_TET] = {{0, 1}, {0, 0}},
                                                           [TRIAD_MESH_PYRAMID] = {{1, 3}, {0, 0}},
                                                           [TRIAD_MESH_PRISM] = {{1, 2}, {4, 5}},
                                                           [TRIAD_MESH_HEX] = {{1, 3}, {5, 7}}};
  for (int k = 0; k < 2; k++) {
    const int32_t other = corner[swap[shape][k][0]];
    corner[swap[shape][k][0]] = corner[swap[shape][k][1]];
    corner[swap[shape][k][1]] = other;
  }
}
