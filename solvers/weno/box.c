#include "solvers/weno/box.h"

triad_weno_box triad_weno_own_box(const triad_partition *b)
{
  return (triad_weno_box){{0, 0, 0}, {b->local[0], b->local[1], b->local[2]}};
}

triad_weno_box triad_weno_padded_box(const triad_partition *blocks)
{
  triad_weno_box b = triad_weno_own_box(blocks);
  for (int i = 0; i < 3; i++) {
    b.low[i] -= blocks->halo[i];
    b.high[i] += blocks->halo[i];
  }
  return b;
}

/* Is the halo beyond this side another rank's doing? Else it is filled here, by copies or by a boundary. */
static int is_remote(const triad_partition *b, int axis, int upper)
{
  int peer = b->neighbour[axis][upper];
  return peer != TRIAD_NO_NEIGHBOUR && peer != b->rank;
}

triad_weno_box triad_weno_near_box(const triad_partition *blocks)
{
  triad_weno_box b = triad_weno_padded_box(blocks);
  for (int i = 0; i < 3; i++) {
    if (is_remote(blocks, i, 0)) b.low[i] = 0;
    if (is_remote(blocks, i, 1)) b.high[i] = blocks->local[i];
  }
  return b;
}

triad_weno_box triad_weno_inner_box(const triad_partition *blocks, const int64_t margin[3])
{
  triad_weno_box b = triad_weno_own_box(blocks);
  for (int i = 0; i < 3; i++) {
    if (is_remote(blocks, i, 0)) b.low[i] += margin[i];
    if (is_remote(blocks, i, 1)) b.high[i] -= margin[i];
    if (b.low[i] > blocks->local[i]) b.low[i] = blocks->local[i];
    if (b.high[i] < b.low[i]) b.high[i] = b.low[i];
  }
  return b;
}

int triad_weno_shell(const triad_weno_box *whole, const triad_weno_box *done, triad_weno_box part[TRIAD_WENO_SHELL])
{
  triad_weno_box all = *whole;
  int n = 0;
  for (int i = 2; i >= 0; i--) {
    triad_weno_box p = all;
    p.high[i] = done->low[i] < all.high[i] ? done->low[i] : all.high[i];
    if (triad_weno_box_points(&p) > 0) part[n++] = p;
    int64_t from = done->high[i] > p.high[i] ? done->high[i] : p.high[i];
    p.low[i] = from;
    p.high[i] = all.high[i];
    if (triad_weno_box_points(&p) > 0) part[n++] = p;
    all.low[i] = done->low[i];
    all.high[i] = done->high[i];
  }
  return n;
}
