/* The part that a limiter leaves of the mean of a cell's two differences, of each field along each axis. */
#include "solvers/multiblock/host/freeze_parts.h"
#include "solvers/multiblock/points/multiblock_points.h"

/* Of all cells of a part and those of one layer around it along the axis, whose slopes count at the part's faces
 * too. */
static void find_parts(triad_multiblock_flow *f, const triad_zone_part *p, int axis)
{
  int64_t low[3] = {0, 0, 0}, high[3] = {p->n[0], p->n[1], p->n[2]};
  low[axis]--;
  high[axis]++;
#pragma omp parallel for collapse(2) schedule(static) num_threads(f->context->threads)
  for (int64_t k = low[2]; k < high[2]; k++)
    for (int64_t j = low[1]; j < high[1]; j++)
      for (int64_t i = low[0]; i < high[0]; i++)
        for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
          const int64_t at = p->origin + i + j * p->stride[1] + k * p->stride[2];
          const triad_real *q = f->q[m] + at;
          f->kept[axis][m][at] =
            triad_multiblock_limited_part(f->setup.limiter, q[0] - q[-p->stride[axis]], q[p->stride[axis]] - q[0]);
        }
}

void triad_multiblock_freeze_parts(triad_multiblock_flow *f)
{
  for (int i = 0; i < f->n_parts; i++)
    for (int axis = 0; axis < 3; axis++)
      if (axis != f->zones->zone[f->part[i]->zone].flat) find_parts(f, f->part[i], axis);
}
