/* The compressible solver's sweeps along y and z: a thread marches from row to row and keeps the upper edges of the
 * row below and the flux through the face below, so that each edge and each flux is made once. */
#include "solvers/compressible/gpu/device_threads.h"

/* Threads of a block. What registers allow: four blocks of the components' sweep, and three of the characteristic
 * one, on a multiprocessor at once were fastest on an H200. */
enum { LANES = TRIAD_COMPRESSIBLE_MARCHING, BLOCKS_COMPONENTS = 4, BLOCKS_WAVES = 3 };

template <int W, int V>
static __global__ void __launch_bounds__(LANES, TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? BLOCKS_COMPONENTS : BLOCKS_WAVES)
  march_kernel(sweep_args a, int lanes, int64_t segment)
{
  __shared__ edge_rows<LANES> edge[TRIAD_COMPRESSIBLE_BY_COMPONENTS(V) ? 3 : 1];
  int t = threadIdx.x, now = 1;
  march_range m;
  if (!march_of(a, lanes, segment, &m)) return;
  int64_t i = m.place - a.step;
  triad_compressible_five lower = {0, 0, 0, 0, 0}, upper;
  triad_compressible_stress s0, s1, s2, s3;
  triad_compressible_cell here, before = cell_at(a, i);
  if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V)) edges_at<W, V>(a, i, t, edge[2], edge[0]);
  if (a.g.viscous) {
    s1 = stress_at(a, i - a.step);
    s2 = stress_at(a, i);
    s3 = stress_at(a, i + a.step);
  }
#pragma unroll 1
  for (int64_t j = m.first; j <= m.end; j++) {
    i += a.step;
    here = cell_at(a, i);
    if (TRIAD_COMPRESSIBLE_BY_COMPONENTS(V)) {
      edges_at<W, V>(a, i, t, edge[2], edge[now]);
      upper = face_of<V>(a, before, here, edge[!now], t, edge[2], t);
      now = !now;
    } else {
      upper = waves_face<W>(a, before, here, i);
    }
    upper =
      at_wall(a, j, false, i, limited(a, V != TRIAD_COMPRESSIBLE_PUBLISHED && a.g.limits, before, here, i, upper));
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = s3;
      s3 = stress_at(a, i + a.step);
      upper = at_wall(a, j, true, i, triad_compressible_less_stress(upper, s0, s1, s2, s3));
    }
    if (j > m.first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
    before = here;
  }
}

template <int W, int V> static int march(const sweep_args *a, cudaStream_t stream)
{
  int lanes;
  int64_t segment;
  dim3 blocks = march_blocks(a, &lanes, &segment);
  TRIAD_LAUNCH(blocks, dim3(LANES), stream, march_kernel<W, V>)(*a, lanes, segment);
  return launched("a sweep along y or z");
}

int triad_compressible_sweep_march(const sweep_args *a, cudaStream_t stream)
{
  if (is_published(a)) return march<TRIAD_WENO_JS, TRIAD_COMPRESSIBLE_PUBLISHED>(a, stream);
  TRIAD_COMPRESSIBLE_BY_WEIGHTS(march, a, stream)
}
