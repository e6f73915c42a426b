/* The compressible solver's sweeps along y and z: a thread marches from row to row and keeps the upper edges of the row below
 * and the flux through the face below, so that each edge and each flux is made once. */
#include "solvers/weno/device_sweep.h"

/* Threads of a block. What registers allow: four blocks of the components' sweep, and three of the characteristic one, on a
 * multiprocessor at once were fastest on an H200. */
enum { LANES = TRIAD_WENO_MARCHING, BLOCKS_COMPONENTS = 4, BLOCKS_WAVES = 3 };

/* Threads are lanes along x, `lanes` of them, times rows of the other axis. Each marches over the points of segment
 * blockIdx.z. */
template <int W, int V>
static __global__ void __launch_bounds__(LANES, V == TRIAD_WENO_COMPONENTS ? BLOCKS_COMPONENTS : BLOCKS_WAVES)
    march_kernel(sweep_args a, int lanes, int64_t segment)
{
  __shared__ edge_rows<LANES> edge[V == TRIAD_WENO_COMPONENTS ? 3 : 1];
  int t = threadIdx.x, now = 1;
  int64_t x = a.box.low[0] + blockIdx.x * (int64_t)lanes + t % lanes;
  int64_t row = a.box.low[3 - a.axis] + blockIdx.y * (int64_t)(LANES / lanes) + t / lanes;
  if (x >= a.box.high[0] || row >= a.box.high[3 - a.axis]) return;
  int64_t first = a.box.low[a.axis] + blockIdx.z * segment, n = a.box.high[a.axis];
  int64_t end = first + segment < n ? first + segment : n;
  int64_t i = a.g.origin + x + row * a.g.stride[3 - a.axis] + (first - 1) * a.step;
  triad_weno_five lower = {0, 0, 0, 0, 0}, upper;
  triad_weno_stress s0, s1, s2, s3;
  triad_weno_cell here, before = cell_at(a, i);
  if (V == TRIAD_WENO_COMPONENTS) edges_at<W>(a, i, t, edge[2], edge[0]);
  if (a.g.viscous) {
    s1 = stress_at(a, i - a.step);
    s2 = stress_at(a, i);
    s3 = stress_at(a, i + a.step);
  }
#pragma unroll 1
  for (int64_t j = first; j <= end; j++) {
    i += a.step;
    here = cell_at(a, i);
    if (V == TRIAD_WENO_COMPONENTS) {
      edges_at<W>(a, i, t, edge[2], edge[now]);
      upper = face_of(a, before, here, edge[!now], t, edge[2], t);
      now = !now;
    } else {
      upper = waves_face<W>(a, before, here, i);
    }
    upper = limited(a, before, here, i, upper);
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = s3;
      s3 = stress_at(a, i + a.step);
      upper = less_stress(upper, s0, s1, s2, s3);
    }
    if (j > first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
    before = here;
  }
}

template <int W, int V> static int march(const sweep_args *a, cudaStream_t stream)
{
  int64_t size[3];
  for (int i = 0; i < 3; i++) size[i] = a->box.high[i] - a->box.low[i];
  int64_t across = size[3 - a->axis], segment = segment_of(size[a->axis], size[0] * across);
  int lanes = lanes_for(size[0]);
  dim3 blocks(blocks_for(size[0], lanes), blocks_for(across, LANES / lanes), blocks_for(size[a->axis], segment));
  march_kernel<W, V><<<blocks, LANES, 0, stream>>>(*a, lanes, segment);
  return launched("a sweep along y or z");
}

int triad_weno_sweep_march(const sweep_args *a, cudaStream_t stream)
{
  TRIAD_WENO_BY_WEIGHTS(march, a, stream)
}
