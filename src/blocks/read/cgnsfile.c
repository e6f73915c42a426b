/* Grids of CGNS files (store/cgns.h): structured zones, their boundary conditions as rows of a map, and their joins,
 * whose points are compared one by one. */
#include "blocks/read/cgnsfile.h"
#include "blocks/read/plot3d.h"

#include "base/guard.h"
#include "store/formats/cgns.h"
#include "store/formats/cgns_patches.h"
#include "store/formats/cgns_joins.h"
#include "blocks/read/gridfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINS = TRIAD_BLOCKS_MAX_MAP_ROWS / 2 };

/* Properties of a file that are read before its nodes. */
typedef struct head {
  triad_blocks_layout layout;
  triad_blocks_map map;
  int n_joins, zone_of[MOST_JOINS];
  triad_cgns_join join[MOST_JOINS];
} head;

typedef struct job {
  const char *path;
  double *x; /* the nodes that were read */
} job;

/* ---- in the other process ---- */

static void set_row(triad_blocks_map_row *row, int zone, const triad_cgns_face *face, const char *name)
{
  row->zone = zone;
  row->axis = face->axis;
  row->upper = face->upper;
  memcpy(row->low, face->low, sizeof row->low);
  memcpy(row->high, face->high, sizeof row->high);
  (void)snprintf(row->name, sizeof row->name, "%.47s", name);
}

static int add_row(head *h, const char *path, const triad_blocks_map_row *row)
{
  if (h->map.n == TRIAD_BLOCKS_MAX_MAP_ROWS)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: more than %d boundary conditions and joins", path,
                      TRIAD_BLOCKS_MAX_MAP_ROWS);
  h->map.row[h->map.n++] = *row;
  return TRIAD_OK;
}

static int take_patch(const triad_cgns *file, int zone, int patch, const char *path, head *h)
{
  triad_cgns_patch p;
  triad_cgns_face face;
  triad_blocks_map_row row = {.joined = 0};
  TRIAD_TRY(triad_cgns_patch_face(file, zone, patch, &p, &face));
  if (p.degenerate) return TRIAD_OK;
  set_row(&row, zone, &face, p.name);
  return add_row(h, path, &row);
}

static int take_join(const triad_cgns *file, const triad_cgns_zone *z, int zone, int number, const char *path, head *h)
{
  triad_cgns_join j;
  TRIAD_TRY(triad_cgns_join_at(file, zone, number, &j, NULL, NULL));
  const int moved =
    j.shift[0] < 0 || j.shift[0] > 0 || j.shift[1] < 0 || j.shift[1] > 0 || j.shift[2] < 0 || j.shift[2] > 0;
  if (!j.is_box && !moved) return TRIAD_OK; /* faces that coincide are joined whatever their list */
  for (int side = 0; side < 2; side++) {
    triad_blocks_map_row row = {.joined = 1, .other = side ? h->map.n - 1 : h->map.n + 1};
    const int of = side ? j.other : zone;
    triad_cgns_face face;
    if (!j.is_box || !triad_cgns_join_face(&j, side, h->layout.size[of], &face))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %d (%s), connection %s: %s", path, zone + 1, z->name, j.name,
                        !j.is_box ? "a periodic connection by lists: use a range"
                        : side    ? "its range in the other zone is not part of a face"
                                  : "its range is not part of a face");
    set_row(&row, of, &face, j.name);
    TRIAD_TRY(add_row(h, path, &row));
  }
  h->zone_of[h->n_joins] = zone;
  h->join[h->n_joins++] = j;
  return TRIAD_OK;
}

static int take_sizes(const triad_cgns *file, const char *path, head *h)
{
  triad_blocks_layout *l = &h->layout;
  l->n = triad_cgns_zones(file);
  l->dims = 3;
  if (l->n > TRIAD_BLOCKS_MAX)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %d zones exceed the maximum of %d", path, l->n, TRIAD_BLOCKS_MAX);
  for (int z = 0; z < l->n; z++) {
    triad_cgns_zone zone;
    TRIAD_TRY(triad_cgns_zone_at(file, z, &zone));
    if (!zone.structured)
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %d (%s) is not structured: use solver fct", path, z + 1, zone.name);
    memcpy(l->size[z], zone.n, sizeof zone.n);
    l->nodes += zone.n[0] * zone.n[1] * zone.n[2];
  }
  return TRIAD_OK;
}

static int fill_head(const triad_cgns *file, const char *path, head *h, triad_guard *guard)
{
  TRIAD_TRY(take_sizes(file, path, h));
  for (int z = 0; z < h->layout.n; z++) {
    triad_cgns_zone zone;
    int n;
    TRIAD_TRY(triad_cgns_zone_at(file, z, &zone));
    TRIAD_TRY(triad_cgns_patches(file, z, &n));
    for (int i = 0; i < n; i++) TRIAD_TRY(take_patch(file, z, i, path, h));
    TRIAD_TRY(triad_cgns_joins(file, z, &n));
    for (int i = 0; i < n; i++) TRIAD_TRY(take_join(file, &zone, z, i, path, h));
    triad_guard_alive(guard);
  }
  return TRIAD_OK;
}

static int give_nodes(const triad_cgns *file, const job *j, int n, triad_guard *guard)
{
  for (int z = 0; z < n; z++) {
    triad_cgns_zone zone;
    TRIAD_TRY(triad_cgns_zone_at(file, z, &zone));
    const int64_t all = zone.n[0] * zone.n[1] * zone.n[2];
    double *x = malloc((size_t)(3 * all) * sizeof *x), *const axes[3] = {x, x + all, x + 2 * all};
    if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld nodes", j->path, (long long)all);
    TRIAD_TRY(triad_cgns_coordinates(file, z, axes));
    for (int64_t i = 0; i < 3 * all; i++)
      if (!isfinite(x[i]))
        return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: zone %d (%s): a coordinate is not finite", j->path, z + 1, zone.name);
    for (int64_t i = 0; i < all && zone.n[2] == 1; i++)
      if (fabs(x[2 * all + i] - x[2 * all]) > 0)
        return TRIAD_FAIL(
          TRIAD_ERR_CASE,
          "%s: zone %d (%s) is a curved surface: it must be a plane of constant z, or have cells along k", j->path,
          z + 1, zone.name);
    TRIAD_TRY(triad_guard_give(guard, x, 3 * all * (int64_t)sizeof *x));
    free(x);
  }
  return TRIAD_OK;
}

static int read_there(void *self, triad_guard *guard)
{
  const job *j = self;
  triad_cgns *file;
  head *h = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", j->path);
  TRIAD_TRY(triad_cgns_open(&file, j->path));
  int st = fill_head(file, j->path, h, guard);
  if (st == TRIAD_OK) st = triad_guard_give(guard, h, sizeof *h);
  if (st == TRIAD_OK) st = give_nodes(file, j, h->layout.n, guard);
  free(h);
  return triad_cgns_close(&file, st);
}

/* ---- joins, point by point ---- */

/* A period that the grid does not have yet. */
static int add_shift(triad_blocks_grid *g, const double shift[3])
{
  const double size = fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]);
  for (int i = 0; i < g->n_shifts; i++) {
    double plus = 0, minus = 0;
    for (int a = 0; a < 3; a++) {
      plus += fabs(g->shift[i][a] - shift[a]);
      minus += fabs(g->shift[i][a] + shift[a]);
    }
    if (fmin(plus, minus) <= 1e-9 * size) return TRIAD_OK;
  }
  double(*more)[3] = realloc(g->shift, (size_t)(g->n_shifts + 1) * sizeof *more);
  if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "periods");
  g->shift = more;
  memcpy(g->shift[g->n_shifts++], shift, 3 * sizeof *shift);
  return TRIAD_OK;
}

/* The shortest edge of the zone at a node that is no point. */
static double edge_at(const triad_blocks_grid *g, int zone, const int64_t node[3])
{
  double least = INFINITY, x[3], y[3];
  triad_blocks_grid_node(g, zone, node, x);
  for (int a = 0; a < 3; a++) {
    int64_t next[3] = {node[0], node[1], node[2]};
    next[a] += node[a] < g->cells[zone][a] ? 1 : -1;
    triad_blocks_grid_node(g, zone, next, y);
    double length = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    if (length > 0) least = fmin(least, length);
  }
  return least;
}

/* A period of single precision is made exact by the first pair of points. */
static int compare(triad_blocks_grid *g, const char *path, int zone, const triad_cgns_join *j)
{
  int64_t here[3], there[3], at = 0;
  double x[3], y[3], shift[3], size = 0, worst = 0;
  const int64_t all = triad_cgns_join_points(j);
  for (int a = 0; a < 3; a++) size += fabs(j->shift[a]);
  triad_cgns_join_point(j, 0, here, there);
  triad_blocks_grid_node(g, zone, here, x);
  triad_blocks_grid_node(g, j->other, there, y);
  for (int a = 0; a < 3; a++)
    shift[a] = size > 0 && fabs(y[a] - x[a] - j->shift[a]) <= 1e-5 * size ? y[a] - x[a] : j->shift[a];
  for (int a = 0; a < 3; a++)
    if (fabs(j->shift[a]) <= 0) shift[a] = 0;
  for (int64_t i = 0; i < all; i++) {
    triad_cgns_join_point(j, i, here, there);
    triad_blocks_grid_node(g, zone, here, x);
    triad_blocks_grid_node(g, j->other, there, y);
    double apart = hypot(hypot(y[0] - x[0] - shift[0], y[1] - x[1] - shift[1]), y[2] - x[2] - shift[2]);
    if (apart <= 1e-3 * edge_at(g, zone, here) + 1e-12 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2])) || apart <= worst)
      continue;
    worst = apart;
    at = i;
  }
  if (worst > 0) {
    triad_cgns_join_point(j, at, here, there);
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "%s: connection %s: node (%lld, %lld, %lld) of zone %d and node (%lld, %lld, %lld) of zone %d "
                      "are connected, but %.3g apart",
                      path, j->name, (long long)here[0] + 1, (long long)here[1] + 1, (long long)here[2] + 1, zone + 1,
                      (long long)there[0] + 1, (long long)there[1] + 1, (long long)there[2] + 1, j->other + 1, worst);
  }
  for (int a = 0; a < 3; a++) shift[a] = -shift[a];
  return size > 0 ? add_shift(g, shift) : TRIAD_OK;
}

static int make_room(void *self, const void *begin, void **out, int64_t *bytes)
{
  job *j = self;
  const head *h = begin;
  *bytes = h->layout.nodes * 3 * (int64_t)sizeof *j->x;
  *out = j->x = malloc((size_t)*bytes);
  return j->x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)h->layout.nodes);
}

int triad_blocks_cgns_read(triad_blocks_grid *g, const char *path)
{
  head *h = calloc(1, sizeof *h);
  job j = {.path = path};
  int st = h ? triad_guard_run_headed(path, read_there, &j, h, sizeof *h, make_room)
             : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  if (st == TRIAD_OK) st = triad_blocks_set_nodes(g, &h->layout, j.x);
  free(j.x);
  for (int i = 0; st == TRIAD_OK && i < h->n_joins; i++) st = compare(g, path, h->zone_of[i], &h->join[i]);
  if (st == TRIAD_OK) {
    triad_blocks_map *map = g->map = malloc(sizeof *map);
    if (map) *map = h->map;
    else st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  }
  free(h);
  return st;
}
