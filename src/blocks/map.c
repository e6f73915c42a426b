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
