/* List the joins and patches of all faces of a grid, the latter as boxes of cells. */
#include "blocks/write/gridwrite.h"

#include "base/status.h"

#include <stdlib.h>

/* The patch of a cell at a face; -1: something is joined to it. */
static int label_of(const triad_blocks_grid *g, const triad_zones *zones, int zone, int axis, int upper,
                    const int64_t c[3])
{
  const int side = 6 * zone + 2 * axis + upper;
  for (int i = zones->first_join[side]; i < zones->first_join[side + 1]; i++) {
    const triad_zone_join *j = &zones->join[i];
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= c[a] >= j->low[a] && c[a] < j->high[a];
    if (inside) return -1;
  }
  return triad_blocks_grid_patch(g, zone, axis, upper, c);
}

/* Boxes of one patch: as long as they can be, then as high. */
static int each_patch(const triad_blocks_face_sink *sink, const triad_blocks_grid *g, const triad_zones *zones,
                      int zone, int axis, int upper)
{
  int t[2], st = TRIAD_OK;
  triad_blocks_tangents(axis, t);
  const int64_t n = g->cells[zone][t[0]], m = g->cells[zone][t[1]];
  int *label = calloc((size_t)(n * m), sizeof *label);
  if (!label) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "faces of block %d", zone + 1);
  int64_t c[3] = {0, 0, 0};
  c[axis] = upper ? g->cells[zone][axis] - 1 : 0;
  for (int64_t i = 0; i < n * m; i++) {
    c[t[0]] = i % n;
    c[t[1]] = i / n;
    label[i] = label_of(g, zones, zone, axis, upper, c);
  }
  for (int64_t i = 0; i < n * m && st == TRIAD_OK; i++) {
    const int patch = label[i];
    int64_t wide = 0, tall = 1, low[3], high[3];
    if (patch < 0) continue;
    while (i % n + wide < n && label[i + wide] == patch) wide++;
    for (int same = 1; same && i / n + tall < m; tall += same)
      for (int64_t k = 0; k < wide; k++) same &= label[i + tall * n + k] == patch;
    for (int64_t k = 0; k < wide * tall; k++) label[i + k / wide * n + k % wide] = -1;
    low[axis] = c[axis];
    high[axis] = c[axis] + 1;
    low[t[0]] = i % n;
    low[t[1]] = i / n;
    high[t[0]] = low[t[0]] + wide;
    high[t[1]] = low[t[1]] + tall;
    st = sink->patch(sink->who, g->patch[patch], zone, axis, upper, low, high);
  }
  free(label);
  return st;
}

int triad_blocks_grid_faces(const triad_blocks_grid *g, const triad_zones *zones, const triad_blocks_face_sink *sink)
{
  for (int i = 0; i < zones->n_joins; i++) TRIAD_TRY(sink->join(sink->who, &zones->join[i]));
  for (int side = 0; side < 6 * g->n; side++)
    if (side % 6 / 2 != g->flat[side / 6]) TRIAD_TRY(each_patch(sink, g, zones, side / 6, side % 6 / 2, side % 2));
  return TRIAD_OK;
}
