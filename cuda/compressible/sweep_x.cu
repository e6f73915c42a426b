/* The compressible solver's sweep along x: a thread a cell, whose neighbours are other threads of the block. */
#include "solvers/compressible/gpu/device_threads.h"

enum { MOST = TRIAD_COMPRESSIBLE_ROW };

template <int W, int V> static __global__ void __launch_bounds__(MOST) x_kernel(sweep_args a, int margin)
{
  __shared__ edge_rows<MOST> edge[TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? 2 : 1];
  __shared__ x_rows rows;
  int t = threadIdx.x, threads = blockDim.x;
  int64_t i, c = x_cell(a, margin, &i), n = a.box.high[0] - a.box.low[0];
  if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) && c >= -1 && c <= n) edges_at<W, V>(a, i, t, edge[0], edge[1]);
  if (a.g.viscous && c <= n + 1) lend_stress(rows, t, stress_at(a, i));
  __syncthreads();
  if (t >= margin && t <= threads - margin && c <= n) {
    triad_compressible_cell x = cell_at(a, i - 1), y = cell_at(a, i);
    triad_compressible_five f;
    if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V)) f = face_of<V>(a, x, y, edge[1], t - 1, edge[0], t);
    else f = waves_face<W>(a, x, y, i);
    f = at_wall(a, a.box.low[0] + c, false, i, limited(a, V != TRIAD_COMPRESSIBLE_PUBLISHED && a.g.limits, x, y, i, f));
    if (a.g.viscous) {
      f = triad_compressible_less_stress(f, lent_stress(rows, t - 2), lent_stress(rows, t - 1), lent_stress(rows, t),
                                         lent_stress(rows, t + 1));
      f = at_wall(a, a.box.low[0] + c, true, i, f);
    }
    lend_flux(rows, t, f);
  }
  __syncthreads();
  if (t < margin || t >= threads - margin || c >= n) return;
  add_face_difference(a, i, lent_flux(rows, t), lent_flux(rows, t + 1));
}

template <int W, int V> static int along(const sweep_args *a, cudaStream_t stream)
{
  int margin = a->g.viscous ? 2 : 1, threads;
  dim3 blocks = x_blocks(a, margin, &threads);
  TRIAD_LAUNCH(blocks, dim3((unsigned)threads), stream, x_kernel<W, V>)(*a, margin);
  return launched("a sweep along x");
}

int triad_compressible_sweep_x(const sweep_args *a, cudaStream_t stream)
{
  if (is_published(a)) return along<TRIAD_WENO_JS, TRIAD_COMPRESSIBLE_PUBLISHED>(a, stream);
  TRIAD_COMPRESSIBLE_BY_WEIGHTS(along, a, stream)
}
