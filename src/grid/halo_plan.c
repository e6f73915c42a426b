/* The exchange plan of a partition's halos (fields/halo.h). */
#include "grid/fields/halo.h"
#include "grid/box.h"

/* The neighbour in one of the 26 directions from a block. If a direction has number n, the opposite has 26 - n. */
typedef struct part {
  int peer;                    /* the block's owner, which may be this rank */
  triad_box inside, halo, far; /* own points that it needs, the halo that it fills, own points at the other end */
} part;

/* Get the neighbour in a direction; 0: there is none. */
static int find_part(const triad_partition *b, int64_t width, triad_halo_reach reach, int number, part *p)
{
  const int step[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
  int axes = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
  p->peer = triad_partition_rank(b, step);
  if (axes == 0 || axes > (int)reach || p->peer == TRIAD_NO_NEIGHBOUR || width == 0) return 0;
  p->inside = p->halo = p->far = triad_box_own(b);
  for (int i = 0; i < 3; i++) {
    int64_t n = b->local[i];
    if (step[i] > 0) {
      p->inside.low[i] = n - width;
      p->halo.low[i] = n;
      p->halo.high[i] = n + width;
      p->far.high[i] = width;
    } else if (step[i] < 0) {
      p->inside.high[i] = width;
      p->halo.low[i] = -width;
      p->halo.high[i] = 0;
      p->far.low[i] = n - width;
    }
  }
  return 1;
}

static triad_exchange_run run_of(const triad_partition *b, const triad_box *box)
{
  triad_exchange_run r = {.first = triad_partition_at(b, box->low[0], box->low[1], box->low[2])};
  for (int i = 0; i < 3; i++) {
    r.count[i] = box->high[i] - box->low[i];
    r.stride[i] = b->stride[i];
  }
  return r;
}

/* Two blocks may be neighbours in several directions. Both must use the same order: rising by the sender's direction,
 * which is falling by the receiver's. */
static int add_parts(triad_exchange_plan *plan, const triad_partition *b, int64_t width, triad_halo_reach reach)
{
  part p;
  for (int number = 0; number < 27; number++) {
    if (!find_part(b, width, reach, number, &p)) continue;
    triad_exchange_run inside = run_of(b, &p.inside), halo = run_of(b, &p.halo), far = run_of(b, &p.far);
    TRIAD_TRY(p.peer == b->rank ? triad_exchange_plan_copy(plan, &far, &halo)
                                : triad_exchange_plan_send(plan, p.peer, &inside));
  }
  for (int number = 26; number >= 0; number--) {
    if (!find_part(b, width, reach, number, &p) || p.peer == b->rank) continue;
    triad_exchange_run halo = run_of(b, &p.halo);
    TRIAD_TRY(triad_exchange_plan_receive(plan, p.peer, &halo));
  }
  return triad_exchange_plan_order(plan, b->rank, b->size);
}

int triad_halo_plan_create(triad_exchange_plan **out, const triad_partition *b, int64_t width, triad_halo_reach reach)
{
  *out = NULL;
  for (int i = 0; i < 3; i++)
    if (width < 0 || (b->n[i] > 1 && width > b->halo[i] && (b->dims[i] > 1 || b->periodic[i])))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a halo of %lld points in blocks that have %lld", (long long)width,
                        (long long)b->halo[i]);
  int st = triad_exchange_plan_create(out);
  if (st == TRIAD_OK) st = add_parts(*out, b, width, reach);
  if (st != TRIAD_OK) triad_exchange_plan_destroy(out);
  return st;
}

int64_t triad_halo_plan_points(const triad_partition *b, int64_t width, triad_halo_reach reach)
{
  int64_t points = 0;
  part p;
  for (int number = 0; number < 27; number++)
    if (find_part(b, width, reach, number, &p) && p.peer != b->rank) points += triad_box_points(&p.inside);
  return points;
}
