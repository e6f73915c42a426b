/* Find the row of a map that a cell face belongs to. */
#include "blocks/map.h"

#include "blocks/geometry.h"

#include <math.h>

static const triad_blocks_map_row *row_of(const triad_blocks_grid *g, int zone, int axis, int upper,
                                          const int64_t cell[3], int *number)
{
  const triad_blocks_map *map = g->map;
  for (int i = 0; map && i < map->n; i++) {
    const triad_blocks_map_row *r = &map->row[i];
    if (r->zone != zone || r->axis != axis || r->upper != upper) continue;
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= cell[a] >= r->low[a] && cell[a] < r->high[a];
    *number = i;
    if (inside) return r;
  }
  return NULL;
}

int triad_blocks_file_patch(const triad_blocks_grid *g, int zone, int axis, int upper, const int64_t cell[3])
{
  int number;
  return row_of(g, zone, axis, upper, cell, &number) ? 6 * g->n + number : 6 * zone + 2 * axis + upper;
}

int triad_blocks_file_may_join(const triad_blocks_grid *g, int zone, int axis, int upper, const int64_t cell[3])
{
  int number;
  const triad_blocks_map_row *row = row_of(g, zone, axis, upper, cell, &number);
  return !row || row->joined;
}

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
