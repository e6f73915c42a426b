/* The compressible solver's sweep along x: a thread a cell, whose neighbours are other threads of the block. */
#include "solvers/weno/device_sweep.h"

enum { MOST = TRIAD_WENO_ROW };

/* Along x: the block's threads stand for neighbouring cells, of which `margin` at either end only lend their edges and
 * stresses. */
template <int W, int V> static __global__ void __launch_bounds__(MOST) x_kernel(sweep_args a, int margin)
{
  __shared__ edge_rows<MOST> edge[V == TRIAD_WENO_COMPONENTS ? 2 : 1];
  __shared__ triad_real flux[5][MOST], stress[4][MOST];
  int t = threadIdx.x, threads = blockDim.x;
  int64_t c = blockIdx.x * (int64_t)(threads - 2 * margin) + t - margin, n = a.box.high[0] - a.box.low[0];
  int64_t i = a.g.origin + a.box.low[0] + c + (a.box.low[1] + blockIdx.y) * a.g.stride[1] +
              (a.box.low[2] + blockIdx.z) * a.g.stride[2];
  if (V == TRIAD_WENO_COMPONENTS && c >= -1 && c <= n) edges_at<W>(a, i, t, edge[0], edge[1]);
  if (a.g.viscous && c <= n + 1) {
    triad_weno_stress s = stress_at(a, i);
    stress[0][t] = s.n;
    stress[1][t] = s.s;
    stress[2][t] = s.t;
    stress[3][t] = s.e;
  }
  __syncthreads();
  if (t >= margin && t <= threads - margin && c <= n) {
    triad_weno_cell x = cell_at(a, i - 1), y = cell_at(a, i);
    triad_weno_five f;
    if (V == TRIAD_WENO_COMPONENTS)
      f = face_of(a, x, y, edge[1], t - 1, edge[0], t);
    else
      f = waves_face<W>(a, x, y, i);
    f = limited(a, x, y, i, f);
    if (a.g.viscous) {
      triad_weno_stress s[4];
#pragma unroll
      for (int j = 0; j < 4; j++) {
        s[j].n = stress[0][t + j - 2];
        s[j].s = stress[1][t + j - 2];
        s[j].t = stress[2][t + j - 2];
        s[j].e = stress[3][t + j - 2];
      }
      f = less_stress(f, s[0], s[1], s[2], s[3]);
    }
    flux[0][t] = f.r;
    flux[1][t] = f.n;
    flux[2][t] = f.s;
    flux[3][t] = f.t;
    flux[4][t] = f.e;
  }
  __syncthreads();
  if (t < margin || t >= threads - margin || c >= n) return;
  triad_weno_five lower = {flux[0][t], flux[1][t], flux[2][t], flux[3][t], flux[4][t]};
  triad_weno_five upper = {flux[0][t + 1], flux[1][t + 1], flux[2][t + 1], flux[3][t + 1], flux[4][t + 1]};
  add_face_difference(a, i, lower, upper);
}

template <int W, int V> static int along(const sweep_args *a, cudaStream_t stream)
{
  const triad_box *b = &a->box;
  int64_t n = b->high[0] - b->low[0];
  int margin = a->g.viscous ? 2 : 1, threads = x_threads(n, margin);
  dim3 blocks(blocks_for(n, threads - 2 * margin), (unsigned)(b->high[1] - b->low[1]), (unsigned)(b->high[2] - b->low[2]));
  x_kernel<W, V><<<blocks, threads, 0, stream>>>(*a, margin);
  return launched("a sweep along x");
}

int triad_weno_sweep_x(const sweep_args *a, cudaStream_t stream)
{
  TRIAD_WENO_BY_WEIGHTS(along, a, stream)
}
