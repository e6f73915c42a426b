/* A grid as CGNS (store/cgns.h). */
#include "blocks/write/gridwrite.h"

#include "store/formats/cgns.h"
#include "store/formats/cgns_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  triad_cgns *file;
  int n_joins, n_patches;
} work;

static void zone_name(char name[33], int zone)
{
  (void)snprintf(name, 33, "Block-%05u", (unsigned)(zone + 1) % 100000u);
}

/* Nodes: where the cell map says +c, node n is node + n of the other; where it says - c, it is one further than - n. */
static int put_join(void *who, const triad_zone_join *j)
{
  work *w = who;
  triad_cgns_join out = {.other = j->to.zone, .is_box = 1};
  char other[33];
  (void)snprintf(out.name, sizeof out.name, "Join-%05u", (unsigned)++w->n_joins % 100000u);
  zone_name(other, j->to.zone);
  for (int a = 0; a < 3; a++) {
    const int to = j->to.turn.axis[a], back = j->to.turn.reversed[a];
    int64_t end[2] = {j->low[a], j->high[a]};
    if (a == j->axis) end[0] = end[1] = j->upper ? j->high[a] : j->low[a];
    out.turn[a] = back ? -(to + 1) : to + 1;
    out.shift[a] = -j->to.shift[a];
    for (int e = 0; e < 2; e++) {
      out.box[0][e][a] = end[e] + 1;
      out.box[1][e][to] = j->to.offset[to] + (back ? 1 - end[e] : end[e]) + 1;
    }
  }
  return triad_cgns_put_join(w->file, j->zone, other, &out);
}

static int put_patch(void *who, const char *name, int zone, int axis, int upper, const int64_t low[3],
                     const int64_t high[3])
{
  work *w = who;
  char condition[33];
  if (strlen(name) >= TRIAD_CGNS_NAME)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "patch %s: names in CGNS can have at most %d letters", name, TRIAD_CGNS_NAME - 1);
  int64_t begin[3], end[3];
  for (int a = 0; a < 3; a++) {
    begin[a] = low[a] + 1 + (a == axis && upper);
    end[a] = a == axis ? begin[a] : high[a] + 1;
  }
  (void)snprintf(condition, sizeof condition, "%.26s-%05u", name, (unsigned)++w->n_patches % 100000u);
  return triad_cgns_put_patch(w->file, zone, condition, name, begin, end);
}

static int put_nodes(triad_cgns *file, const triad_blocks_grid *g, int z)
{
  const int64_t *c = g->cells[z], n[3] = {c[0] + 1, c[1] + 1, c[2] + 1}, all = n[0] * n[1] * n[2];
  char name[33];
  double *x = malloc((size_t)(3 * all) * sizeof *x), *const axes[3] = {x, x + all, x + 2 * all};
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)all);
  for (int64_t i = 0; i < all; i++) {
    const int64_t node[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    double at[3];
    triad_blocks_grid_node(g, z, node, at);
    for (int a = 0; a < 3; a++) axes[a][i] = at[a];
  }
  zone_name(name, z);
  int st = triad_cgns_put_zone(file, name, c, axes);
  free(x);
  return st;
}

int triad_blocks_cgns_put(triad_cgns *file, const triad_blocks_grid *g, const triad_zones *zones)
{
  work w = {.file = file};
  const triad_blocks_face_sink sink = {&w, put_join, put_patch};
  for (int z = 0; z < g->n; z++) TRIAD_TRY(put_nodes(file, g, z));
  return triad_blocks_grid_faces(g, zones, &sink);
}
