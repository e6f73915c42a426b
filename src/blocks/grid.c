/* The nodes of a grid and the patches of its faces, whether it was generated or read. */
#include "blocks/grid.h"

#include "blocks/map.h"

#include <stdlib.h>

/* Base numbers of a node (width 0) or cell (width 1) of a zone. */
static void to_base(const triad_blocks_zone_piece *p, const int64_t at[3], int width, int64_t base[3])
{
  for (int a = 0; a < 3; a++) {
    int to = p->turn.axis[a];
    base[to] = p->turn.reversed[a] ? p->high[to] - width - at[a] : p->low[to] + at[a];
  }
}

/* A number between -1 and 1 of a node. */
static double scatter(const triad_blocks_grid *g, const int64_t base[3], int a)
{
  uint64_t h = (uint64_t)g->seed * 0x9e3779b97f4a7c15u + (uint64_t)a;
  for (int i = 0; i < 3; i++) {
    h = (h ^ (uint64_t)base[i]) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
  }
  h *= 0x94d049bb133111ebu;
  return (double)((h ^ h >> 32) >> 11) / 4503599627370496.0 - 1; /* of 2^53 */
}

static void made_node(const triad_blocks_grid *g, int zone, const int64_t node[3], double x[3])
{
  int64_t base[3];
  double at[3];
  to_base(&g->piece[zone], node, 0, base);
  int inside = 1;
  for (int a = 0; a < 3; a++) inside &= (base[a] > 0 && base[a] < g->base[a]) || (a == 2 && g->base[2] == 1);
  for (int a = 0; a < 3; a++) {
    double push = inside && g->random > 0 && !(a == 2 && g->base[2] == 1) ? g->random * scatter(g, base, a) : 0;
    if (inside && g->base[2] == 1) { /* the same on both planes */
      const int64_t flat[3] = {base[0], base[1], 0};
      if (a < 2 && g->random > 0) push = g->random * scatter(g, flat, a);
    }
    at[a] = ((double)base[a] + push) / (double)g->base[a];
  }
  g->shape->node(g, at, x);
}

const char *const triad_blocks_side_name[6] = {"imin", "imax", "jmin", "jmax", "kmin", "kmax"};

void triad_blocks_grid_node(const triad_blocks_grid *g, int zone, const int64_t node[3], double x[3])
{
  if (g->shape) {
    made_node(g, zone, node, x);
    return;
  }
  const int64_t *n = g->cells[zone], plane = (n[0] + 1) * (n[1] + 1), all = plane * (n[2] + 1);
  for (int a = 0; a < 3; a++) x[a] = g->x[zone][a * all + node[0] + (n[0] + 1) * node[1] + plane * node[2]];
}

void triad_blocks_face_corners(const triad_blocks_grid *g, int zone, const int64_t cell[3], int axis, int upper,
                               double corner[4][3], double middle[3])
{
  int t[2];
  triad_blocks_tangents(axis, t);
  for (int a = 0; a < 3; a++) middle[a] = 0;
  for (int i = 0; i < 4; i++) {
    int64_t node[3] = {cell[0], cell[1], cell[2]};
    node[axis] += upper;
    node[t[0]] += i == 1 || i == 2;
    node[t[1]] += i > 1;
    triad_blocks_grid_node(g, zone, node, corner[i]);
    for (int a = 0; a < 3; a++) middle[a] += corner[i][a] / 4;
  }
}

int triad_blocks_grid_patch(const triad_blocks_grid *g, int zone, int axis, int upper, const int64_t cell[3])
{
  if (!g->shape) return triad_blocks_file_patch(g, zone, axis, upper, cell);
  const triad_blocks_zone_piece *p = &g->piece[zone];
  int64_t base[3];
  int face = 2 * p->turn.axis[axis] + (p->turn.reversed[axis] ? !upper : upper);
  to_base(p, cell, 1, base);
  return g->shape->patch_of ? g->shape->patch_of(g, face, base) : face;
}

int triad_blocks_grid_may_join(const triad_blocks_grid *g, int zone, int axis, int upper, const int64_t cell[3])
{
  return g->shape || triad_blocks_file_may_join(g, zone, axis, upper, cell);
}

void triad_blocks_grid_destroy(triad_blocks_grid **grid)
{
  if (!grid || !*grid) return;
  triad_blocks_grid *g = *grid;
  for (int z = 0; g->x && z < g->n; z++) free(g->x[z]);
  free(g->x);
  free(g->map);
  free(g->shift);
  free(g->table);
  free(g->shape_own);
  free(g->cells);
  free(g->flat);
  free(g->piece);
  free(g->patch);
  free(g);
  *grid = NULL;
}

/* ---- nodes beyond a zone ---- */

/* Through the cell next to the node, and the corner of it that the node is. 0: that cell is nobody's. */
static int neighbour_node(const triad_blocks_grid *g, const triad_zones *zones, int zone, const int64_t node[3],
                          double x[3])
{
  const int64_t *n = zones->zone[zone].n;
  int64_t c[3], d[3], other[3];
  triad_zone_map map;
  for (int a = 0; a < 3; a++) c[a] = node[a] < 0 ? -1 : node[a] > n[a] ? n[a] : node[a] < n[a] ? node[a] : n[a] - 1;
  if (triad_zones_follow(zones, zone, c, &map, d) != 1) return 0;
  for (int a = 0; a < 3; a++) {
    int to = map.turn.axis[a], corner = (int)(node[a] - c[a]);
    other[to] = d[to] + (map.turn.reversed[a] ? 1 - corner : corner);
  }
  triad_blocks_grid_node(g, map.zone, other, x);
  for (int a = 0; a < 3; a++) x[a] += map.shift[a];
  return 1;
}

void triad_blocks_grid_ghost_node(const triad_blocks_grid *g, const triad_zones *zones, int zone, const int64_t node[3],
                                  double x[3])
{
  const int64_t *n = zones->zone[zone].n;
  int axis = -1;
  for (int a = 0; a < 3; a++)
    if (node[a] < 0 || node[a] > n[a]) axis = a;
  if (axis < 0) {
    triad_blocks_grid_node(g, zone, node, x);
    return;
  }
  if (neighbour_node(g, zones, zone, node, x)) return;
  int64_t edge[3] = {node[0], node[1], node[2]}, next[3] = {node[0], node[1], node[2]};
  double a[3], b[3];
  edge[axis] = node[axis] < 0 ? 0 : n[axis];
  next[axis] = node[axis] < 0 ? 1 : n[axis] - 1;
  triad_blocks_grid_ghost_node(g, zones, zone, edge, a);
  triad_blocks_grid_ghost_node(g, zones, zone, next, b);
  for (int i = 0; i < 3; i++) x[i] = 2 * a[i] - b[i];
}
