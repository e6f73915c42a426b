/* The gap between faces that a map joins. */
#include "blocks/map.h"

#include <math.h>

double triad_blocks_file_gap(const triad_blocks_grid *g, int patch, const double x[3])
{
  const triad_blocks_map *map = g->map;
  if (!map || patch < 6 * g->n || !map->row[patch - 6 * g->n].joined) return -1;
  const triad_blocks_map_row *r = &map->row[map->row[patch - 6 * g->n].other];
  double gap = INFINITY;
  int t[2];
  int64_t c[3] = {r->low[0], r->low[1], r->low[2]};
  triad_blocks_tangents(r->axis, t);
  for (c[t[1]] = r->low[t[1]]; c[t[1]] < r->high[t[1]]; c[t[1]]++)
    for (c[t[0]] = r->low[t[0]]; c[t[0]] < r->high[t[0]]; c[t[0]]++) {
      double corner[4][3], middle[3];
      triad_blocks_face_corners(g, r->zone, c, r->axis, r->upper, corner, middle);
      gap = fmin(gap, hypot(hypot(middle[0] - x[0], middle[1] - x[1]), middle[2] - x[2]));
    }
  return gap;
}
