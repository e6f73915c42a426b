/* Turn left-handed blocks (turn.h). Cells have rising numbers along the reversed axis, so that the file's last layer is
 * the first one here. */
#include "blocks/read/turn.h"
#include "blocks/geometry.h"
#include "blocks/map.h"

#include <string.h>

static int is_left_handed(const triad_blocks_grid *g, int zone)
{
  const int64_t *n = g->cells[zone], all = n[0] * n[1] * n[2];
  for (int64_t l = 0; l < all; l++) {
    const int64_t cell[3] = {l % n[0], l / n[0] % n[1], l / n[0] / n[1]};
    if (!(triad_blocks_cell_volume(g, zone, cell) < 0)) return 0; /* mostly the first one */
  }
  return 1;
}

static void reverse_nodes(triad_blocks_grid *g, int zone, int axis)
{
  const int64_t n[3] = {g->cells[zone][0] + 1, g->cells[zone][1] + 1, g->cells[zone][2] + 1};
  const int64_t all = n[0] * n[1] * n[2], stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
  for (int64_t i = 0; i < all; i++) {
    const int64_t at = i / stride % n[axis], other = i + (n[axis] - 1 - 2 * at) * stride;
    for (int a = 0; a < 3 && at < n[axis] - 1 - at; a++) {
      double *x = g->x[zone] + a * all, keep = x[i];
      x[i] = x[other];
      x[other] = keep;
    }
  }
}

static void reverse_rows(triad_blocks_map *map, int zone, int axis, int64_t cells)
{
  for (int i = 0; map && i < map->n; i++) {
    triad_blocks_map_row *r = &map->row[i];
    if (r->zone != zone) continue;
    const int64_t low = r->low[axis];
    r->low[axis] = cells - r->high[axis];
    r->high[axis] = cells - low;
    if (r->axis == axis) r->upper = !r->upper;
  }
}

static void exchange_names(triad_blocks_grid *g, int zone, int axis)
{
  char keep[TRIAD_BLOCKS_NAME], *lower = g->patch[6 * zone + 2 * axis], *upper = g->patch[6 * zone + 2 * axis + 1];
  memcpy(keep, lower, sizeof keep);
  memcpy(lower, upper, sizeof keep);
  memcpy(upper, keep, sizeof keep);
}

void triad_blocks_turn(triad_blocks_grid *g)
{
  for (int zone = 0; zone < g->n; zone++) {
    const int axis = g->flat[zone] == TRIAD_ZONE_NOT_FLAT ? 2 : g->flat[zone];
    if (!is_left_handed(g, zone)) continue;
    reverse_nodes(g, zone, axis);
    reverse_rows(g->map, zone, axis, g->cells[zone][axis]);
    exchange_names(g, zone, axis);
    g->turned++;
  }
}
