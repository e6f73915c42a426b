/* The compressible solver's sweep along x: a thread a cell, whose neighbours are other threads of the block. */
#include "solvers/compressible/gpu/device_threads.h"

enum { MOST = TRIAD_COMPRESSIBLE_ROW };

/* Blocks on a multiprocessor at once, by which registers are shared out: what was fastest on an H200. */
template <int V> constexpr int blocks_of(void)
{
  constexpr bool single = sizeof(triad_real) == 4;
  if (V == TRIAD_COMPRESSIBLE_PUBLISHED) return single ? 8 : 6;
  if (V == TRIAD_COMPRESSIBLE_COMPONENTS) return single ? 6 : 4;
  return single ? 5 : 3;
}

template <int W, int V, int VISCOUS>
static __global__ void __launch_bounds__(MOST, blocks_of<V>()) x_kernel(sweep_args a)
{
  constexpr int margin = VISCOUS ? 2 : 1;
  __shared__ edge_rows<MOST> edge[TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? 2 : 1];
  __shared__ x_rows rows;
  int t = threadIdx.x;
  int64_t i, c = x_cell(a, margin, &i), n = a.box.high[0] - a.box.low[0];
  if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) && c >= -1 && c <= n) edges_at<W, V>(a, i, t, edge[0], edge[1]);
  if (VISCOUS && c <= n + 1) lend_stress(rows, t, stress_at(a, i));
  __syncthreads();
  if (has_face(t, margin, c, n)) {
    triad_compressible_five f;
    const field_cells cells = cells_about(a, i);
    if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V))
      f = face_of<V>(a, cell_of(cells, 2), cell_of(cells, 3), edge[1], t - 1, edge[0], t);
    else f = waves_face<W, V == TRIAD_COMPRESSIBLE_ANY_WAVES>(a, cells);
    if (V != TRIAD_COMPRESSIBLE_PUBLISHED) {
      read_again();
      f = limited(a, a.g.limits, cell_of(cells, 2), cell_of(cells, 3), f);
    }
    f = at_wall(a, a.box.low[0] + c, false, i, f);
    if (VISCOUS) {
      f = triad_compressible_less_stress(f, lent_stress(rows, t - 2), lent_stress(rows, t - 1), lent_stress(rows, t),
                                         lent_stress(rows, t + 1));
      f = at_wall(a, a.box.low[0] + c, true, i, f);
    }
    lend_flux(rows, t, f);
  }
  __syncthreads();
  if (!has_cell(t, margin, c, n)) return;
  add_face_difference(a, i, lent_flux(rows, t), lent_flux(rows, t + 1));
}

template <int W, int V> static int along(const sweep_args *a, cudaStream_t stream)
{
  if (a->g.viscous) TRIAD_LAUNCH(x_blocks(a, 2), dim3(MOST), stream, x_kernel<W, V, 1>)(*a);
  else TRIAD_LAUNCH(x_blocks(a, 1), dim3(MOST), stream, x_kernel<W, V, 0>)(*a);
  return launched("a sweep along x");
}

int triad_compressible_sweep_x(const sweep_args *a, cudaStream_t stream)
{
  if (is_published(a)) return along<TRIAD_WENO_JS, TRIAD_COMPRESSIBLE_PUBLISHED>(a, stream);
  TRIAD_COMPRESSIBLE_BY_WEIGHTS(along, a, stream)
}
