#include "grid/halo_parts.h"

/* What lies at the end `step` of an axis: own points that a neighbour there needs, and the halo that it fills. */
static void cut(const triad_partition *b, int64_t width, int axis, int step, triad_halo_part *p)
{
  int64_t n = b->local[axis];
  p->give.count[axis] = p->take.count[axis] = step == 0 ? n : width;
  p->give.first[axis] = step > 0 ? n - width : 0;
  p->take.first[axis] = step > 0 ? n : step < 0 ? -width : 0;
}

static int direction(const int step[3]) { return (step[0] + 1) + 3 * (step[1] + 1) + 9 * (step[2] + 1); }

int triad_halo_parts(const triad_partition *b, int64_t width, int reach, triad_halo_part parts[TRIAD_HALO_PARTS],
                     int64_t *points)
{
  int count = 0;
  *points = 0;
  for (int number = 0; number < 27 && width > 0; number++) {
    const int step[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    int axes = (step[0] != 0) + (step[1] != 0) + (step[2] != 0), peer = triad_partition_rank(b, step);
    if (axes == 0 || axes > reach || peer == TRIAD_NO_NEIGHBOUR) continue;
    triad_halo_part *p = &parts[count++];
    *p = (triad_halo_part){.peer = peer, .number = number, .offset = *points, .points = 1};
    p->opposite = direction((const int[3]){-step[0], -step[1], -step[2]});
    for (int i = 0; i < 3; i++) {
      p->step[i] = step[i];
      cut(b, width, i, step[i], p);
      p->points *= p->give.count[i];
    }
    *points += p->points;
  }
  return count;
}
