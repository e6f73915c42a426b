/* Boxes of points against counting points one by one. ranks: 1 2 4 */
#include "test.h"

#include "grid/box.h"

static triad_box random_box(uint64_t stream, uint64_t i)
{
  triad_box b;
  for (int a = 0; a < 3; a++) {
    b.low[a] = triad_test_below(stream, 6 * i + (uint64_t)a, 8) - 4;
    b.high[a] = b.low[a] + triad_test_below(stream, 6 * i + 3 + (uint64_t)a, 7);
  }
  return b;
}

static int holds(const triad_box *b, const int64_t p[3])
{
  int in = 1;
  for (int a = 0; a < 3; a++) in = in && p[a] >= b->low[a] && p[a] < b->high[a];
  return in;
}

/* Calls visit for each point of a cube that has every box in it. */
static void each_point(void (*visit)(const int64_t p[3], void *who), void *who)
{
  int64_t p[3];
  for (p[2] = -12; p[2] < 20; p[2]++)
    for (p[1] = -12; p[1] < 20; p[1]++)
      for (p[0] = -12; p[0] < 20; p[0]++) visit(p, who);
}

typedef struct pair {
  triad_box a, b, both, grown, part[TRIAD_BOX_SHELL];
  int parts;
  int64_t in_a, wrong, grown_points;
} pair;

static void compare_pair(const int64_t p[3], void *who)
{
  pair *c = who;
  int times = 0;
  for (int i = 0; i < c->parts; i++) times += holds(&c->part[i], p);
  c->in_a += holds(&c->a, p);
  c->grown_points += holds(&c->grown, p);
  c->wrong += holds(&c->both, p) != (holds(&c->a, p) && holds(&c->b, p));
  c->wrong += times != (holds(&c->a, p) && !holds(&c->both, p));
}

TRIAD_TEST(boxes_hold_the_points_that_they_say)
{
  const int64_t more[3] = {1, 0, 2};
  for (uint64_t i = 0; i < 100; i++) {
    pair c = {.a = random_box(1, i), .b = random_box(2, i)};
    for (int a = 0; a < 3; a++) {
      c.both.low[a] = c.a.low[a] > c.b.low[a] ? c.a.low[a] : c.b.low[a];
      c.both.high[a] = c.a.high[a] < c.b.high[a] ? c.a.high[a] : c.b.high[a];
    }
    c.grown = triad_box_grow(&c.a, more);
    if (triad_box_is_empty(&c.both)) c.both = (triad_box){{0}, {0}};
    int inside = triad_box_is_empty(&c.a) || triad_box_is_empty(&c.both);
    if (inside) c.both = (triad_box){{c.a.low[0], c.a.low[1], c.a.low[2]}, {c.a.low[0], c.a.low[1], c.a.low[2]}};
    c.parts = triad_box_shell(&c.a, &c.both, c.part);
    each_point(compare_pair, &c);
    TRIAD_EQUAL(c.wrong, 0, "points of what two boxes share, or of what is left of one");
    TRIAD_EQUAL(c.in_a, triad_box_points(&c.a), "points of a box");
    int64_t grown = 1;
    for (int a = 0; a < 3; a++)
      grown *= c.a.high[a] - c.a.low[a] + 2 * more[a] > 0 ? c.a.high[a] - c.a.low[a] + 2 * more[a] : 0;
    TRIAD_EQUAL(c.grown_points, grown, "points of a box that has grown");
  }
}

/* Halo points are near where no other rank fills them; inner points are those in no margin beside another rank. */
TRIAD_TEST(near_and_inner_boxes_end_where_other_ranks_adjoin)
{
  const triad_comm *comm = triad_test_comm();
  const int64_t n[3] = {40, 36, 48}, margin[3] = {2, 3, 5};
  for (int closed = 0; closed < 8; closed++) {
    triad_partition b;
    const int periodic[3] = {closed & 1, closed >> 1 & 1, closed >> 2 & 1};
    TRIAD_CHECK(triad_partition_init(&b, n, periodic, 3, comm->rank, comm->size, NULL));
    triad_box near = triad_box_near(&b), inner = triad_box_inner(&b, margin), own = triad_box_own(&b);
    triad_box padded = triad_box_padded(&b);
    TRIAD_EQUAL(triad_box_points(&padded), b.volume, "points of a block with its halo");
    TRIAD_EQUAL(triad_box_points(&own), triad_partition_points(&b), "own points");
    for (int a = 0; a < 3; a++) {
      int divided = b.dims[a] > 1;
      int lower = divided && (periodic[a] || b.place[a] > 0),
          upper = divided && (periodic[a] || b.place[a] < b.dims[a] - 1);
      TRIAD_EQUAL(near.low[a], lower ? 0 : -3, "where near points begin");
      TRIAD_EQUAL(near.high[a], b.local[a] + (upper ? 0 : 3), "where near points end");
      TRIAD_EQUAL(inner.low[a], lower ? margin[a] : 0, "where inner points begin");
      TRIAD_EQUAL(inner.high[a], b.local[a] - (upper ? margin[a] : 0), "where inner points end");
    }
  }
}

TRIAD_MAIN
