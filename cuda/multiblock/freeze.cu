/* Factors of frozen limiters of flow on curvilinear blocks (solvers/multiblock/gpu/gpu_multiblock.h): computed once a
 * run, by one thread per cell. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "solvers/multiblock/gpu/device_cells.h"

/* low, n: the first cell and the extents of the block with its layers. */
static __global__ void __launch_bounds__(THREADS)
  freeze(const mesh g, const triad_multiblock_gpu_block b, const place low, const place n, int axis, const five f)
{
  const int l = number();
  if (l >= n.i * n.j * n.k) return;
  const int i = low.i + l % n.i, j = low.j + l / n.i % n.j, k = low.k + l / (n.i * n.j);
  const int at = b.origin + i + j * b.stride[1] + k * b.stride[2], step = b.stride[axis];
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    const triad_real *q = f.q[m] + at;
    g.kept[axis][m][at] = triad_multiblock_limited_part(g.limiter, q[0] - q[-step], q[step] - q[0]);
  }
}

extern "C" int triad_multiblock_gpu_freeze(const mesh *g, const triad_multiblock_gpu_block *b, int axis,
                                           triad_real *const q[FIELDS], void *stream)
{
  const place low = {axis == 0 ? -1 : 0, axis == 1 ? -1 : 0, axis == 2 ? -1 : 0},
              n = {b->n[0] - 2 * low.i, b->n[1] - 2 * low.j, b->n[2] - 2 * low.k};
  const int cells = n.i * n.j * n.k;
  if (cells == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(cells, THREADS)), dim3(THREADS), stream, freeze)(*g, *b, low, n, axis, five_of(q));
  return launched("limiters of blocks");
}
