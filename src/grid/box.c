/* Algebra of boxes of points (box.h). */
#include "grid/box.h"
#include "base/minmax.h"

triad_box triad_box_grow(const triad_box *b, const int64_t by[3])
{
  triad_box grown = *b;
  for (int i = 0; i < 3; i++) {
    grown.low[i] -= by[i];
    grown.high[i] += by[i];
  }
  return grown;
}

int triad_box_shell(const triad_box *whole, const triad_box *done, triad_box part[TRIAD_BOX_SHELL])
{
  triad_box all = *whole;
  int n = 0;
  for (int i = 2; i >= 0; i--) {
    triad_box p = all;
    p.high[i] = triad_min_count(done->low[i], all.high[i]);
    if (!triad_box_is_empty(&p)) part[n++] = p;
    p.low[i] = triad_max_count(done->high[i], p.high[i]);
    p.high[i] = all.high[i];
    if (!triad_box_is_empty(&p)) part[n++] = p;
    all.low[i] = done->low[i];
    all.high[i] = done->high[i];
  }
  return n;
}

triad_box triad_box_own(const triad_partition *b)
{
  return (triad_box){{0, 0, 0}, {b->local[0], b->local[1], b->local[2]}};
}

triad_box triad_box_padded(const triad_partition *b)
{
  triad_box own = triad_box_own(b);
  return triad_box_grow(&own, b->halo);
}

/* Is the halo beyond this side another rank's doing? Else it is filled here, by copies or by a boundary. */
static int is_remote(const triad_partition *b, int axis, int upper)
{
  int peer = b->neighbour[axis][upper];
  return peer != TRIAD_NO_NEIGHBOUR && peer != b->rank;
}

triad_box triad_box_near(const triad_partition *blocks)
{
  triad_box b = triad_box_padded(blocks);
  for (int i = 0; i < 3; i++) {
    if (is_remote(blocks, i, 0)) b.low[i] = 0;
    if (is_remote(blocks, i, 1)) b.high[i] = blocks->local[i];
  }
  return b;
}

triad_box triad_box_inner(const triad_partition *blocks, const int64_t margin[3])
{
  triad_box b = triad_box_own(blocks);
  for (int i = 0; i < 3; i++) {
    if (is_remote(blocks, i, 0)) b.low[i] += margin[i];
    if (is_remote(blocks, i, 1)) b.high[i] -= margin[i];
    b.low[i] = triad_min_count(b.low[i], blocks->local[i]);
    b.high[i] = triad_max_count(b.high[i], b.low[i]);
  }
  return b;
}
