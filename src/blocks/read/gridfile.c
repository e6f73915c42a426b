/* Read the nodes and the map of a grid once per rank, in a separate process, and name its patches. */
#include "blocks/read/gridfile.h"
#include "blocks/read/plot3d.h"
#include "blocks/read/mapfile.h"
#include "blocks/read/cgnsfile.h"
#include "blocks/read/turn.h"

#include "base/guard.h"
#include "store/formats/cgns.h"
#include "store/formats/gzip.h"
#include "store/disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- in the other process ---- */

typedef struct job {
  const char *path;
  double *x; /* the nodes that were read */
  int n;
  const int64_t (*cells)[3];
} job;

/* The layout, then the nodes. */
static int read_nodes(void *self, triad_guard *guard)
{
  const job *j = self;
  char *bytes;
  int64_t length;
  TRIAD_TRY(triad_gzip_load(j->path, guard, &bytes, &length));
  triad_guard_alive(guard);
  triad_blocks_layout *layout = calloc(1, sizeof *layout);
  if (!layout) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", j->path);
  TRIAD_TRY(triad_blocks_plot3d_layout(j->path, bytes, length, layout));
  const int64_t n = layout->nodes * layout->dims;
  double *x = calloc((size_t)n, sizeof *x);
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %lld nodes", j->path, (long long)layout->nodes);
  TRIAD_TRY(triad_blocks_plot3d_nodes(j->path, bytes, length, layout, x));
  TRIAD_TRY(triad_guard_give(guard, layout, sizeof *layout));
  return triad_guard_give(guard, x, n * (int64_t)sizeof *x);
}

static int read_map(void *self, triad_guard *guard)
{
  const job *j = self;
  char *text;
  int64_t length;
  triad_blocks_map *map = calloc(1, sizeof *map);
  if (!map) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", j->path);
  TRIAD_TRY(triad_gzip_load(j->path, guard, &text, &length));
  TRIAD_TRY(triad_blocks_map_read(j->path, text, j->n, j->cells, map));
  return triad_guard_give(guard, map, sizeof *map);
}

/* ---- into the grid ---- */

static int name_patches(triad_blocks_grid *g)
{
  const triad_blocks_map *map = g->map;
  g->n_patches = 6 * g->n + (map ? map->n : 0);
  g->patch = calloc((size_t)g->n_patches, sizeof *g->patch);
  if (!g->patch) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "names of patches");
  for (int i = 0; i < 6 * g->n; i++)
    (void)snprintf(g->patch[i], TRIAD_BLOCKS_NAME, "%d.%s", i / 6 + 1, triad_blocks_side_name[i % 6]);
  for (int i = 0; map && i < map->n; i++) memcpy(g->patch[6 * g->n + i], map->row[i].name, TRIAD_BLOCKS_NAME);
  return TRIAD_OK;
}

static int take_map(triad_blocks_grid *g, const char *path)
{
  job j = {.path = path, .n = g->n, .cells = (const int64_t(*)[3])g->cells};
  g->map = calloc(1, sizeof(triad_blocks_map));
  if (!g->map) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "grid.map");
  return triad_guard_run(path, read_map, &j, g->map, sizeof(triad_blocks_map));
}

static int make_room(void *self, const void *head, void **out, int64_t *bytes)
{
  job *j = self;
  const triad_blocks_layout *layout = head;
  *bytes = layout->nodes * layout->dims * (int64_t)sizeof *j->x;
  *out = j->x = malloc((size_t)*bytes);
  return j->x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)layout->nodes);
}

static int take_nodes(triad_blocks_grid *g, const char *path)
{
  triad_blocks_layout *layout = calloc(1, sizeof *layout);
  job j = {.path = path};
  int st = layout ? triad_guard_run_headed(path, read_nodes, &j, layout, sizeof *layout, make_room)
                  : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", path);
  if (st == TRIAD_OK) st = triad_blocks_set_nodes(g, layout, j.x);
  free(j.x);
  free(layout);
  return st;
}

int triad_blocks_file_read(triad_blocks_grid *g, const char *path, const char *map)
{
  const int cgns = triad_cgns_is(path);
  if (cgns && map[0])
    return TRIAD_FAIL(TRIAD_ERR_CASE, "grid.map: remove it, because %s contains its own connections and boundaries",
                      path);
  TRIAD_TRY(cgns ? triad_blocks_cgns_read(g, path) : take_nodes(g, path));
  if (map[0]) TRIAD_TRY(take_map(g, map));
  TRIAD_TRY(name_patches(g));
  triad_blocks_turn(g);
  return TRIAD_OK;
}
