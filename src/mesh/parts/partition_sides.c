/* Find cells that share a side, from slices, without the whole mesh on any rank. Each side is sent to the rank whose
 * slice of points includes its lowest point. It matches there the side with the same points or, for a quadrilateral,
 * the triangle with its lowest point. An unmatched quadrilateral is then sent to the rank of its second lowest point
 * and matches there the triangle without the lowest one. */
#include "mesh/parts/partition_sides.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/join.h"

#include <stdlib.h>

/* By its lowest points, rising, all of them or four; of a triangle point[3] = -1. */
typedef struct side {
  int32_t point[TRIAD_MESH_SIDE_POINTS], cell;
} side;

typedef struct linking {
  const triad_mesh_partition *partition;
  triad_mesh_delivery sides, again; /* what each rank has got  */
  side *going;                      /* [n_going]               */
  int64_t n_going, n_pairs;
  uint8_t *met;               /* [sides.n]               */
  triad_mesh_cell_pair *pair; /* [n_pairs], of [sides.n] */
  int64_t *count;             /* [5 ranks]               */
} linking;

static int share_of_points(const linking *w, int32_t point)
{
  return triad_mesh_share_owner(w->partition->slices.n_points, point, w->partition->context->comm.size);
}

static int compare(const side *a, const side *b, int first, int n)
{
  for (int i = 0; i < n; i++)
    if (a->point[first + i] != b->point[i]) return a->point[first + i] < b->point[i] ? -1 : 1;
  return 0;
}

static int side_order(const void *a, const void *b)
{
  const side *x = a, *y = b;
  const int by_points = compare(x, y, 0, TRIAD_MESH_SIDE_POINTS);
  return by_points ? by_points : x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* ---- sides to where their lowest points are ---- */

static void each_side(linking *w, int64_t *at, int placing)
{
  const triad_mesh *m = w->partition->slices.cells;
  for (int64_t c = 0; c < m->n_cells; c++)
    for (int i = 0; i < triad_mesh_sides(m, c); i++) {
      int32_t room[TRIAD_MESH_SIDE_POINTS];
      int n;
      const int32_t *points = triad_mesh_side(m, c, i, room, &n);
      side s = {.cell = (int32_t)(w->partition->slices.first + c)};
      triad_mesh_side_key(points, n, s.point);
      int64_t *there = &at[share_of_points(w, s.point[0])];
      if (placing) w->going[*there] = s;
      ++*there;
    }
}

/* Allocate the sides to send, and compute each rank's offset from the counts. */
static int take_going(linking *w, const int64_t *count, int64_t *begin)
{
  w->n_going = 0;
  for (int r = 0; r < w->partition->context->comm.size; r++) {
    begin[r] = w->n_going;
    w->n_going += count[r];
  }
  return TRIAD_ALLOC(w->partition->context->memory, "the mesh partition", w->n_going, &w->going);
}

static int send_sides(linking *w)
{
  triad_memory *memory = w->partition->context->memory;
  const int size = w->partition->context->comm.size;
  w->sides = (triad_mesh_delivery){.bytes = sizeof(side), .count = w->count, .got = w->count + size};
  int64_t *begin = w->count + 2 * (int64_t)size;
  each_side(w, w->count, 0);
  int st = take_going(w, w->count, begin);
  if (st == TRIAD_OK) each_side(w, begin, 1);
  w->sides.items = w->going;
  st = triad_mesh_exchange_items(w->partition->context, &w->sides, st);
  TRIAD_FREE(memory, &w->going);
  return st;
}

/* ---- where they meet ---- */

static void add_pair(linking *w, const side *a, const side *b)
{
  if (a->cell != b->cell) w->pair[w->n_pairs++] = (triad_mesh_cell_pair){{a->cell, b->cell}};
}

/* Is each point of a triangle one of a quadrilateral? */
static int splits(const side *triangle, const side *four)
{
  int n = 0;
  for (int i = 0; i < TRIAD_MESH_SIDE_POINTS; i++)
    for (int k = 0; k < TRIAD_MESH_SIDE_POINTS - 1; k++) n += four->point[i] == triangle->point[k];
  return n == TRIAD_MESH_SIDE_POINTS - 1;
}

static int is_triangle(const side *s) { return s->point[TRIAD_MESH_SIDE_POINTS - 1] < 0; }

/* Match triangles with quadrilaterals among the unmatched sides begin .. end - 1, which have the same lowest point. */
static void meet_halves(linking *w, const side *s, int64_t begin, int64_t end)
{
  for (int64_t i = begin; i < end; i++)
    for (int64_t k = begin; k < end && is_triangle(&s[i]) && !w->met[i]; k++) {
      if (is_triangle(&s[k]) || w->met[k] == 1 || !splits(&s[i], &s[k])) continue;
      add_pair(w, &s[i], &s[k]);
      w->met[i] = 1;
      w->met[k] = 2; /* by a half of it */
    }
}

static void meet(linking *w, side *s)
{
  const int64_t n = w->sides.n;
  if (n > 0) qsort(s, (size_t)n, sizeof *s, side_order);
  for (int64_t i = 1; i < n; i++)
    if (compare(&s[i - 1], &s[i], 0, TRIAD_MESH_SIDE_POINTS) == 0) {
      add_pair(w, &s[i - 1], &s[i]);
      w->met[i - 1] = w->met[i] = 1;
    }
  for (int64_t begin = 0, end; begin < n; begin = end) {
    for (end = begin; end < n && s[end].point[0] == s[begin].point[0];) end++;
    meet_halves(w, s, begin, end);
  }
}

/* Quadrilaterals that have met no like, to where their second lowest points are. */
static int send_again(linking *w, const side *s)
{
  const int size = w->partition->context->comm.size;
  int64_t *begin = w->count + 2 * (int64_t)size;
  w->again = (triad_mesh_delivery){
    .bytes = sizeof(side), .count = w->count + 3 * (int64_t)size, .got = w->count + 4 * (int64_t)size};
  int st = TRIAD_OK;
  for (int placing = 0; placing < 2 && st == TRIAD_OK; placing++) {
    int64_t *at = placing ? begin : w->count + 3 * (int64_t)size;
    for (int64_t i = 0; i < w->sides.n; i++) {
      if (is_triangle(&s[i]) || w->met[i] == 1) continue;
      int64_t *there = &at[share_of_points(w, s[i].point[1])];
      if (placing) w->going[*there] = s[i];
      ++*there;
    }
    if (!placing) st = take_going(w, at, begin);
  }
  w->again.items = w->going;
  st = triad_mesh_exchange_items(w->partition->context, &w->again, st);
  TRIAD_FREE(w->partition->context->memory, &w->going);
  return st;
}

/* The triangle of a quadrilateral's three highest points, among sides by their points. */
static void meet_second_half(linking *w, const side *s, const side *four)
{
  int64_t low = 0, high = w->sides.n;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (compare(four, &s[middle], 1, TRIAD_MESH_SIDE_POINTS - 1) > 0) low = middle + 1;
    else high = middle;
  }
  if (low == w->sides.n || compare(four, &s[low], 1, TRIAD_MESH_SIDE_POINTS - 1) != 0 || !is_triangle(&s[low]) ||
      w->met[low])
    return;
  add_pair(w, four, &s[low]);
  w->met[low] = 1;
}

static int find_pairs(linking *w)
{
  triad_memory *memory = w->partition->context->memory;
  side *s = w->sides.received;
  int st = TRIAD_ALLOC(memory, "the mesh partition", w->sides.n, &w->met);
  /* a side is the second of one at most */
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "the mesh partition", w->sides.n, &w->pair);
  TRIAD_TRY(triad_agree(&w->partition->context->comm, st));
  meet(w, s);
  TRIAD_TRY(send_again(w, s));
  for (int64_t i = 0; i < w->again.n; i++) meet_second_half(w, s, (const side *)w->again.received + i);
  return TRIAD_OK;
}

int triad_mesh_partition_pairs(const triad_mesh_partition *k, triad_mesh_cell_pair **pair, int64_t *n)
{
  triad_memory *memory = k->context->memory;
  linking w = {.partition = k};
  int st = triad_agree(&k->context->comm,
                       TRIAD_ALLOC(memory, "the mesh partition", 5 * (int64_t)k->context->comm.size, &w.count));
  if (st == TRIAD_OK) st = send_sides(&w);
  if (st == TRIAD_OK) st = find_pairs(&w);
  triad_memory_free(memory, &w.sides.received);
  triad_memory_free(memory, &w.again.received);
  TRIAD_FREE(memory, &w.met);
  TRIAD_FREE(memory, &w.count);
  *pair = w.pair;
  *n = w.n_pairs;
  return st;
}
