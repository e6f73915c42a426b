/* Find the faces of blocks that coincide. All boundary faces are sorted by the sum of their centre coordinates, so
 * coincident faces are adjacent; runs of faces joined in the same way are then merged to rectangles. */
#include "blocks/joins.h"
#include "blocks/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A face of a cell: its corners in an order around it. */
typedef struct quad {
  double corner[4][3], centre[3], order, edge; /* order: the sum; edge: its shortest, 0: not to be joined */
  int zone, axis, upper, taken;
  int64_t cell[3];
  triad_zone_map to; /* zone -1: joined to nothing */
} quad;

typedef struct list {
  quad *quad;
  int64_t n;
  int64_t *of_face; /* [6 zones + 1] first of each face */
} list;

static const double weight[3] = {1, 0.7548776662466927, 0.5698402909980532};

static double distance(const double a[3], const double b[3])
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The corner whose places along the two tangential axes these are, 0 or 1. */
static int corner_at(int first, int second) { return second ? 3 - first : first; }

static void measure(quad *q, const triad_blocks_grid *g)
{
  triad_blocks_face_corners(g, q->zone, q->cell, q->axis, q->upper, q->corner, q->centre);
  double shortest = INFINITY, longest = 0, area[3]; /* of the diagonals: half their product */
  for (int i = 0; i < 4; i++) {
    double edge = distance(q->corner[i], q->corner[(i + 1) % 4]);
    shortest = fmin(shortest, edge);
    longest = fmax(longest, edge);
  }
  for (int a = 0; a < 3; a++) {
    const double *p = q->corner[0], *r = q->corner[2], *s = q->corner[1], *u = q->corner[3];
    int b = (a + 1) % 3, c = (a + 2) % 3;
    area[a] = ((r[b] - p[b]) * (u[c] - s[c]) - (r[c] - p[c]) * (u[b] - s[b])) / 2;
  }
  double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
  /* one end may be a point; a face that is a line or a point is no face */
  q->edge = size <= 1e-12 * longest * longest ? 0 : shortest > 0 ? shortest : size / longest;
  q->to.zone = -1;
}

static int gather(list *l, const triad_blocks_grid *g)
{
  l->of_face = calloc(6 * (size_t)g->n + 1, sizeof *l->of_face);
  if (!l->of_face) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "faces of %d blocks", g->n);
  for (int pass = 0; pass < 2; pass++) {
    int64_t at = 0;
    for (int f = 0; f < 6 * g->n; f++) {
      int zone = f / 6, axis = f % 6 / 2, upper = f % 2, t[2];
      const int64_t *n = g->cells[zone];
      triad_blocks_tangents(axis, t);
      l->of_face[f] = at;
      if (axis == g->flat[zone]) continue;
      for (int64_t j = 0; j < n[t[1]]; j++)
        for (int64_t i = 0; i < n[t[0]]; i++, at++) {
          if (pass == 0) continue;
          quad *q = &l->quad[at];
          q->zone = zone;
          q->axis = axis;
          q->upper = upper;
          q->cell[axis] = upper ? n[axis] - 1 : 0;
          q->cell[t[0]] = i;
          q->cell[t[1]] = j;
          measure(q, g);
          if (!triad_blocks_grid_may_join(g, zone, axis, upper, q->cell)) q->edge = 0;
        }
    }
    l->of_face[6 * g->n] = l->n = at;
    if (pass == 0 && !(l->quad = calloc((size_t)at + 1, sizeof *l->quad)))
      return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld boundary faces", (long long)at);
  }
  return TRIAD_OK;
}

/* The map between the cells of two faces whose corners coincide, b's moved by shift. 0: they do not. */
static int fit(const quad *a, const quad *b, const double shift[3], const triad_blocks_grid *g, triad_zone_map *m)
{
  int ta[2], tb[2];
  double close = 1e-3 * fmin(a->edge, b->edge) + 1e-12 * (fabs(a->centre[0]) + fabs(a->centre[1]) + fabs(a->centre[2]));
  triad_blocks_tangents(a->axis, ta);
  triad_blocks_tangents(b->axis, tb);
  for (int way = 0; way < 8; way++) { /* swap, turn the first, turn the second */
    int swap = way & 1, turn[2] = {way >> 1 & 1, way >> 2 & 1}, same = 1;
    for (int i = 0; i < 4 && same; i++) {
      int p = i & 1, q = i >> 1, to[2];
      to[swap] = turn[0] ? 1 - p : p;
      to[!swap] = turn[1] ? 1 - q : q;
      double moved[3];
      for (int d = 0; d < 3; d++) moved[d] = b->corner[corner_at(to[0], to[1])][d] + shift[d];
      same = distance(a->corner[corner_at(p, q)], moved) <= close;
    }
    if (!same) continue;
    *m = (triad_zone_map){.zone = b->zone, .shift = {shift[0], shift[1], shift[2]}};
    for (int i = 0; i < 2; i++) {
      int from = ta[i], to = tb[swap ? !i : i];
      m->turn.axis[from] = to;
      m->turn.reversed[from] = turn[i];
      m->offset[to] = b->cell[to] + (turn[i] ? a->cell[from] : -a->cell[from]);
    }
    m->turn.axis[a->axis] = b->axis;
    m->turn.reversed[a->axis] = a->upper == b->upper;
    /* a's first cell beyond the face is b */
    int64_t beyond = a->upper ? g->cells[a->zone][a->axis] : -1;
    m->offset[b->axis] = b->cell[b->axis] + (a->upper == b->upper ? beyond : -beyond);
    return 1;
  }
  return 0;
}

static int by_order(const void *a, const void *b)
{
  const quad *const *p = a, *const *q = b;
  if ((*p)->order != (*q)->order) return (*p)->order < (*q)->order ? -1 : 1;
  return *p < *q ? -1 : *p > *q;
}

/* First place whose order is not below. */
static int64_t lower_bound(quad *const *sorted, int64_t n, double order)
{
  int64_t low = 0, high = n;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (sorted[middle]->order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int match_with(list *l, quad *const *sorted, const triad_blocks_grid *g, const double shift[3], int plain)
{
  double moved = 0;
  for (int d = 0; d < 3; d++) moved += weight[d] * shift[d];
  for (int64_t i = 0; i < l->n; i++) {
    quad *a = sorted[i];
    if (a->to.zone >= 0 || a->edge <= 0) continue;
    double close = 3e-3 * a->edge + 1e-11 * fabs(a->order), from = a->order - moved;
    for (int64_t j = lower_bound(sorted, l->n, from - close); j < l->n && sorted[j]->order <= from + close; j++) {
      quad *b = sorted[j];
      triad_zone_map m, back;
      const double other[3] = {-shift[0], -shift[1], -shift[2]};
      if (b->to.zone >= 0 || b->edge <= 0 || (plain && b == a)) continue;
      if (!fit(a, b, shift, g, &m)) continue;
      if (a != b && !fit(b, a, other, g, &back)) continue;
      a->to = m;
      if (a != b) b->to = back;
      break;
    }
  }
  return TRIAD_OK;
}

static int match(list *l, const triad_blocks_grid *g)
{
  quad **sorted = calloc((size_t)l->n + 1, sizeof *sorted);
  const double none[3] = {0, 0, 0};
  if (!sorted) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld boundary faces", (long long)l->n);
  for (int64_t i = 0; i < l->n; i++) {
    quad *q = sorted[i] = &l->quad[i];
    q->order = weight[0] * q->centre[0] + weight[1] * q->centre[1] + weight[2] * q->centre[2];
  }
  qsort(sorted, (size_t)l->n, sizeof *sorted, by_order);
  int st = match_with(l, sorted, g, none, 1);
  for (int d = 0; d < 3 && st == TRIAD_OK; d++) {
    double shift[3] = {0, 0, 0};
    shift[d] = g->period[d];
    if (g->period[d] > 0) st = match_with(l, sorted, g, shift, 0);
  }
  for (int i = 0; i < g->n_shifts && st == TRIAD_OK; i++) st = match_with(l, sorted, g, g->shift[i], 0);
  free(sorted);
  return st;
}

/* ---- boxes of faces that are joined alike ---- */

static int alike(const quad *a, const quad *b)
{
  if (b->taken || b->to.zone != a->to.zone) return 0;
  for (int d = 0; d < 3; d++) {
    if (a->to.turn.axis[d] != b->to.turn.axis[d] || a->to.turn.reversed[d] != b->to.turn.reversed[d]) return 0;
    if (a->to.offset[d] != b->to.offset[d] || fabs(a->to.shift[d] - b->to.shift[d]) > 0) return 0;
  }
  return 1;
}

/* Grow from a quad along its face's first axis, then whole rows along the second. */
static triad_zone_join grow(quad *first, int64_t along, int64_t across)
{
  int t[2];
  int64_t n = 0, rows = 1;
  triad_blocks_tangents(first->axis, t);
  while (first->cell[t[0]] + n < along && alike(first, first + n)) n++;
  for (; first->cell[t[1]] + rows < across; rows++) {
    int64_t same = 0;
    while (same < n && alike(first, first + rows * along + same)) same++;
    if (same < n) break;
  }
  for (int64_t j = 0; j < rows; j++)
    for (int64_t i = 0; i < n; i++) first[j * along + i].taken = 1;
  triad_zone_join join = {.zone = first->zone, .axis = first->axis, .upper = first->upper, .to = first->to};
  memcpy(join.low, first->cell, sizeof join.low);
  join.high[first->axis] = first->cell[first->axis] + 1;
  join.high[t[0]] = first->cell[t[0]] + n;
  join.high[t[1]] = first->cell[t[1]] + rows;
  return join;
}

static int collect(list *l, const triad_blocks_grid *g, triad_zones *zones)
{
  triad_zone_join *join = NULL;
  int n = 0, room = 0, st = TRIAD_OK;
  for (int64_t i = 0; i < l->n && st == TRIAD_OK; i++) {
    quad *q = &l->quad[i];
    int t[2];
    if (q->taken || q->to.zone < 0) continue;
    if (n == room) {
      room = 2 * room + 16;
      triad_zone_join *larger = realloc(join, (size_t)room * sizeof *join);
      if (!larger) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d joins", room);
      if (!larger) break;
      join = larger;
    }
    triad_blocks_tangents(q->axis, t);
    join[n++] = grow(q, g->cells[q->zone][t[0]], g->cells[q->zone][t[1]]);
  }
  if (st == TRIAD_OK) st = triad_zones_join(zones, join, n);
  free(join);
  return st;
}

int triad_blocks_grid_zones(triad_zones **out, const triad_blocks_grid *g)
{
  list l = {0};
  TRIAD_TRY(triad_zones_create(out, g->n, (const int64_t(*)[3])g->cells, g->flat));
  int st = gather(&l, g);
  if (st == TRIAD_OK) st = match(&l, g);
  if (st == TRIAD_OK) st = collect(&l, g, *out);
  free(l.quad);
  free(l.of_face);
  if (st != TRIAD_OK) triad_zones_destroy(out);
  return st;
}
