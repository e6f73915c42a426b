/* Areas, volumes and centres of the cells of blocks. */
#include "blocks/geometry.h"

void triad_blocks_quad_area(const double a[3], const double b[3], const double c[3], const double d[3], double s[3])
{
  double e[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]}, f[3] = {d[0] - b[0], d[1] - b[1], d[2] - b[2]};
  s[0] = (e[1] * f[2] - e[2] * f[1]) / 2;
  s[1] = (e[2] * f[0] - e[0] * f[2]) / 2;
  s[2] = (e[0] * f[1] - e[1] * f[0]) / 2;
}

/* The corners of a cell's lower or upper face along an axis, in the order that makes its area vector point along the
 * axis. 0: some corners do not exist. */
static int face_of(const double *const corner[8], int axis, int upper, const double *x[4])
{
  static const int order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const int t = (axis + 1) % 3, r = (axis + 2) % 3;
  int whole = 1;
  for (int i = 0; i < 4; i++) {
    x[i] = corner[(upper << axis) + (order[i][0] << t) + (order[i][1] << r)];
    whole &= x[i] != NULL;
  }
  return whole;
}

/* A third of the sum over faces of centre times area vector: neighbours take the same from a face they share, so
 * that the volumes of all cells make that of the whole. The last layer of nodes has faces only, and no volume. */
double triad_blocks_measure_cell(const double *const corner[8], double s[3][3])
{
  double volume = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      const double *x[4];
      double area[3];
      if (!face_of(corner, axis, upper, x)) continue;
      triad_blocks_quad_area(x[0], x[1], x[2], x[3], area);
      for (int a = 0; a < 3; a++) {
        const double centre = (x[0][a] + x[1][a] + x[2][a] + x[3][a]) / 4 - corner[0][a];
        volume += (upper ? 1 : -1) * centre * area[a] / 3;
        if (!upper) s[axis][a] = area[a];
      }
    }
  return corner[7] ? volume : 0;
}

static void corners_of(const triad_blocks_grid *g, int zone, const int64_t c[3], double x[8][3])
{
  for (int i = 0; i < 8; i++) {
    const int64_t node[3] = {c[0] + (i & 1), c[1] + (i >> 1 & 1), c[2] + (i >> 2)};
    triad_blocks_grid_node(g, zone, node, x[i]);
  }
}

double triad_blocks_cell_volume(const triad_blocks_grid *g, int zone, const int64_t c[3])
{
  double x[8][3], areas[3][3];
  const double *corner[8];
  corners_of(g, zone, c, x);
  for (int i = 0; i < 8; i++) corner[i] = x[i];
  return triad_blocks_measure_cell(corner, areas);
}

void triad_blocks_cell_centre(const triad_blocks_grid *g, const triad_zones *zones, int zone, const int64_t cell[3],
                              double x[3])
{
  x[0] = x[1] = x[2] = 0;
  for (int i = 0; i < 8; i++) {
    const int64_t node[3] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)};
    double corner[3];
    triad_blocks_grid_ghost_node(g, zones, zone, node, corner);
    for (int a = 0; a < 3; a++) x[a] += corner[a] / 8;
  }
}

int triad_blocks_face_is_open(const triad_zones *zones, int zone, const int64_t c[3], int axis, int upper)
{
  int64_t beyond[3] = {c[0], c[1], c[2]}, d[3];
  triad_zone_map map;
  beyond[axis] += upper ? 1 : -1;
  if (beyond[axis] >= 0 && beyond[axis] < zones->zone[zone].n[axis]) return 0;
  return triad_zones_follow(zones, zone, beyond, &map, d) != 1;
}
