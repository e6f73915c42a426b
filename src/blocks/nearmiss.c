/* Find faces that nearly coincide: their points are too far apart to be joined, so they become boundaries, which a
 * map need not mention. */
#include "blocks/nearmiss.h"
#include "blocks/faults.h"

#include "blocks/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A face that nothing is joined to. */
typedef struct spot {
  double x[3], order, edge; /* its middle; a sum of its coordinates; its shortest edge */
  int zone, side;
} spot;

/* Every coordinate counts, and |order| of a way is at most 1.38 of its length. */
static const double weight[3] = {1, 0.7548776662466927, 0.5698402909980532};

/* Two faces nearly coincide if their distance is less than this fraction of an edge. */
static const double near = 0.2;
enum { LOOKED_AT = 4096 };

static double apart(const double a[3], const double b[3])
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static spot spot_of(const triad_blocks_grid *g, int zone, int side, const int64_t c[3])
{
  spot s = {.zone = zone, .side = side};
  double corner[4][3];
  triad_blocks_face_corners(g, zone, c, side / 2, side % 2, corner, s.x);
  s.edge = INFINITY;
  for (int i = 0; i < 4; i++) s.edge = fmin(s.edge, apart(corner[i], corner[(i + 1) % 4]));
  for (int a = 0; a < 3; a++) s.order += weight[a] * s.x[a];
  return s;
}

/* Collect the faces of all sides except walls (the two sides of a sharp edge may be very close). With NULL only count
 * them. */
static int64_t gather(const triad_blocks_grid *g, const triad_zones *zones, const triad_blocks_patch_mark *mark,
                      spot *out)
{
  int64_t n = 0;
  for (int side = 0; side < 6 * g->n; side++) {
    const int zone = side / 6, axis = side % 6 / 2, upper = side % 2;
    int t[2];
    int64_t c[3];
    triad_blocks_tangents(axis, t);
    if (axis == g->flat[zone]) continue;
    c[axis] = upper ? g->cells[zone][axis] - 1 : 0;
    for (c[t[1]] = 0; c[t[1]] < g->cells[zone][t[1]]; c[t[1]]++)
      for (c[t[0]] = 0; c[t[0]] < g->cells[zone][t[0]]; c[t[0]]++) {
        if (!triad_blocks_face_is_open(zones, zone, c, axis, upper)) continue;
        if (mark[triad_blocks_grid_patch(g, zone, axis, upper, c)].is_wall) continue;
        if (out) out[n] = spot_of(g, zone, side % 6, c);
        n++;
      }
  }
  return n;
}

static int by_order(const void *a, const void *b)
{
  const spot *p = a, *q = b;
  return p->order < q->order ? -1 : p->order > q->order;
}

static void describe(char *text, size_t size, const spot *a, const spot *b)
{
  (void)snprintf(text, size,
                 "faces %s of block %d and %s of block %d nearly coincide at (%g, %g, %g), %.3g apart with edges of "
                 "length %.3g: they are treated as boundaries, because connected nodes must coincide",
                 triad_blocks_side_name[a->side], a->zone + 1, triad_blocks_side_name[b->side], b->zone + 1, a->x[0],
                 a->x[1], a->x[2], apart(a->x, b->x), fmin(a->edge, b->edge));
}

int triad_blocks_find_near_miss(char *text, size_t size, const triad_blocks_grid *g, const triad_zones *zones,
                                const triad_blocks_patch_mark *mark)
{
  text[0] = 0;
  if (g->shape) return TRIAD_OK;
  const int64_t n = gather(g, zones, mark, NULL), step = n / LOOKED_AT + 1;
  spot *all = calloc((size_t)n + 1, sizeof *all);
  if (!all) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld boundary faces", (long long)n);
  (void)gather(g, zones, mark, all);
  qsort(all, (size_t)n, sizeof *all, by_order);
  int found = 0;
  for (int64_t i = 0; i < n && !found; i += step)
    for (int64_t j = i + 1;
         j < n && j < i + LOOKED_AT && all[j].order - all[i].order < 1.38 * near * all[i].edge && !found; j++) {
      const int same = all[i].zone == all[j].zone && all[i].side == all[j].side;
      found = !same && apart(all[i].x, all[j].x) < near * fmin(all[i].edge, all[j].edge);
      if (found) describe(text, size, &all[i], &all[j]);
    }
  free(all);
  return TRIAD_OK;
}
