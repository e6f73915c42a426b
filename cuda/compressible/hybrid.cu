/* The compressible solver's sweeps with hybrid fluxes: WENO's through faces with a shocked cell among the six around
 * them, central ones through all others. Warps without such a face reconstruct nothing. */
#include "solvers/compressible/gpu/device_threads.h"

enum {
  LANES = TRIAD_COMPRESSIBLE_MARCHING,
  MOST = TRIAD_COMPRESSIBLE_ROW,
  MARGIN = 3 /* threads that lend what they know of their cells only */
};

static __device__ __forceinline__ bool shocked_at(const sweep_args &a, int64_t i)
{
  return triad_compressible_shocked_at(a.sensor, a.g.primitive[0] + i, a.g.primitive[1] + i, a.g.primitive[2] + i,
                                       a.g.primitive[3] + i, a.g.u[0] + i) > 0;
}

/* Along y or z, as march_kernel of cuda/compressible/march.cu. A thread keeps which of the last six cells are shocked
 * as bits, the upper edges of the cell below where it has made them. */
template <int W, int V>
static __global__ void __launch_bounds__(LANES) hybrid_march_kernel(sweep_args a, int lanes, int64_t segment)
{
  __shared__ edge_rows<LANES> edge[TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? 3 : 1];
  int t = threadIdx.x, now = 1, held = 0;
  unsigned shocked = 0;
  march_range m;
  if (!march_of(a, lanes, segment, &m)) return;
  int64_t i = m.place;
  triad_compressible_five lower = {0, 0, 0, 0, 0}, upper;
  triad_compressible_stress s0, s1, s2;
  for (int back = 3; back > -2; back--) shocked = shocked << 1 | shocked_at(a, i - back * a.step);
  if (a.g.viscous) {
    s1 = stress_at_face(a, i - a.step);
    s2 = stress_at_face(a, i);
  }
#pragma unroll 1
  for (int64_t j = m.first; j <= m.end; j++, i += a.step) {
    triad_compressible_cell before = cell_at(a, i - a.step), here = cell_at(a, i);
    shocked = (shocked << 1 | shocked_at(a, i + 2 * a.step)) & 63;
    if (!shocked) {
      upper = central_face(a, i);
    } else if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V)) {
      if (!held) edges_at<W, V>(a, i - a.step, t, edge[2], edge[!now]);
      edges_at<W, V>(a, i, t, edge[2], edge[now]);
      upper = face_of<V>(a, before, here, edge[!now], t, edge[2], t);
    } else {
      upper = waves_face<W, 1>(a, cells_about(a, i));
    }
    held = shocked != 0;
    now = !now;
    upper = at_wall(a, j, false, i, limited(a, shocked ? a.g.limits : a.g.positivity, before, here, upper));
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = stress_at_face(a, i + a.step);
      upper = at_wall(a, j, true, i, triad_compressible_less_face_stress(upper, s0, s1, s2));
    }
    if (j > m.first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
  }
}

/* Along x, as x_kernel of cuda/compressible/sweep_x.cu. */
template <int W, int V> static __global__ void __launch_bounds__(MOST) hybrid_x_kernel(sweep_args a, int margin)
{
  __shared__ edge_rows<MOST> edge[TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? 2 : 1];
  __shared__ x_rows rows;
  __shared__ unsigned char shocked[MOST], upwind[MOST + 1]; /* of cells; of the faces below them */
  int t = threadIdx.x;
  int64_t i, c = x_cell(a, margin, &i), n = a.box.high[0] - a.box.low[0];
  const bool mine = has_face(t, margin, c, n); /* the face below the cell */
  shocked[t] = c <= n + 2 && shocked_at(a, i);
  if (a.g.viscous && c >= -1 && c <= n + 1) lend_stress(rows, t, stress_at_face(a, i));
  __syncthreads();
  unsigned any = 0;
  if (mine)
    for (int j = -3; j < 3; j++) any |= shocked[t + j];
  upwind[t] = (unsigned char)any;
  if (t == 0) upwind[MOST] = 0;
  __syncthreads();
  if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) && (upwind[t] || upwind[t + 1])) edges_at<W, V>(a, i, t, edge[0], edge[1]);
  __syncthreads();
  if (mine) {
    triad_compressible_cell x = cell_at(a, i - 1), y = cell_at(a, i);
    triad_compressible_five f;
    if (!any) f = central_face(a, i);
    else if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V)) f = face_of<V>(a, x, y, edge[1], t - 1, edge[0], t);
    else f = waves_face<W, 1>(a, cells_about(a, i));
    f = at_wall(a, a.box.low[0] + c, false, i, limited(a, any ? a.g.limits : a.g.positivity, x, y, f));
    if (a.g.viscous) {
      f = triad_compressible_less_face_stress(f, lent_stress(rows, t - 1), lent_stress(rows, t),
                                              lent_stress(rows, t + 1));
      f = at_wall(a, a.box.low[0] + c, true, i, f);
    }
    lend_flux(rows, t, f);
  }
  __syncthreads();
  if (!has_cell(t, margin, c, n)) return;
  add_face_difference(a, i, lent_flux(rows, t), lent_flux(rows, t + 1));
}

template <int W, int V> static int sweep(const sweep_args *a, cudaStream_t stream)
{
  if (a->axis == 0) {
    TRIAD_LAUNCH(x_blocks(a, MARGIN), dim3(MOST), stream, hybrid_x_kernel<W, V>)(*a, MARGIN);
  } else {
    int lanes;
    int64_t segment;
    dim3 blocks = march_blocks(a, &lanes, &segment);
    TRIAD_LAUNCH(blocks, dim3(LANES), stream, hybrid_march_kernel<W, V>)(*a, lanes, segment);
  }
  return launched("a hybrid sweep");
}

int triad_compressible_sweep_hybrid(const sweep_args *a, cudaStream_t stream)
{
  TRIAD_COMPRESSIBLE_BY_WEIGHTS(sweep, a, stream)
}
