/* The compressible solver's sweeps along y and z: a thread marches from row to row and keeps the upper edges of the
 * row below and the flux through the face below, so that each edge and each flux is made once. By characteristic
 * variables without viscosity the six cells about a face wait in shared memory. */
#include "solvers/compressible/gpu/device_threads.h"

#include <cuda_pipeline.h>

enum { LANES = TRIAD_COMPRESSIBLE_MARCHING, SLOTS = 8, AHEAD = 2 /* cells whose values are on their way */ };

/* Blocks on a multiprocessor at once, by which registers are shared out: what was fastest on an H200. */
template <int V, int VISCOUS> constexpr int blocks_of(void)
{
  constexpr bool single = sizeof(triad_real) == 4;
  if (V == TRIAD_COMPRESSIBLE_PUBLISHED) return single ? 8 : 4;
  if (V == TRIAD_COMPRESSIBLE_COMPONENTS) return single ? 6 : 4;
  return !single ? 3 : V == TRIAD_COMPRESSIBLE_CHARACTERISTIC && !VISCOUS ? 8 : 5;
}

/* The cells about a face in shared memory, where a thread has a ring of those of its march: `first` is the slot of the
 * lowest. */
struct ring {
  triad_real q[SLOTS][5][LANES];
};
struct ring_cells {
  const triad_real *q; /* this thread's */
  int first;
  __device__ __forceinline__ triad_real get(int f, int j) const { return q[((first + j) % SLOTS * 5 + f) * LANES]; }
};

static __device__ __forceinline__ void bring_cell(ring &r, int slot, int t, const field_cells &c, int64_t ahead)
{
#pragma unroll
  for (int f = 0; f < 5; f++)
    __pipeline_memcpy_async(&r.q[slot % SLOTS][f][t], c.q[f] + ahead * c.step, sizeof(triad_real));
}

/* A ring of the viscous fluxes of four cells, in shared memory. */
struct stress_rows {
  triad_real s[4][4][LANES];
};
static __device__ __forceinline__ void put_stress(stress_rows &r, int slot, int t, triad_compressible_stress s)
{
  r.s[slot % 4][0][t] = s.n;
  r.s[slot % 4][1][t] = s.s;
  r.s[slot % 4][2][t] = s.t;
  r.s[slot % 4][3][t] = s.e;
}
static __device__ __forceinline__ triad_compressible_stress stress_of(const stress_rows &r, int slot, int t)
{
  triad_compressible_stress s = {r.s[slot % 4][0][t], r.s[slot % 4][1][t], r.s[slot % 4][2][t], r.s[slot % 4][3][t]};
  return s;
}

struct flux_row {
  triad_real f[5][LANES];
};
static __device__ __forceinline__ void put_flux(flux_row &r, int t, triad_compressible_five f)
{
  r.f[0][t] = f.r;
  r.f[1][t] = f.n;
  r.f[2][t] = f.s;
  r.f[3][t] = f.t;
  r.f[4][t] = f.e;
}
static __device__ __forceinline__ triad_compressible_five flux_in(const flux_row &r, int t)
{
  triad_compressible_five f = {r.f[0][t], r.f[1][t], r.f[2][t], r.f[3][t], r.f[4][t]};
  return f;
}

template <int W, int V, int VISCOUS>
static __global__ void __launch_bounds__(LANES, blocks_of<V, VISCOUS>())
  march_kernel(sweep_args a, int lanes, int64_t segment)
{
  constexpr bool components = TRIAD_COMPRESSIBLE_BY_COMPONENTS(V), in_ring = !VISCOUS && !components;
  __shared__ edge_rows<components ? LANES : 1> edge[components ? 3 : 1];
  __shared__ stress_rows stress;
  __shared__ ring window;
  __shared__ flux_row below; /* in_ring: the flux through the face below */
  int t = threadIdx.x, now = 1;
  march_range m;
  if (!march_of(a, lanes, segment, &m)) return;
  field_cells cells = cells_about(a, m.place);
  triad_compressible_five lower = {0, 0, 0, 0, 0}, upper;
  int slot = 0; /* of the cell above the face, and of its stress */
  if (components) edges_at<W, V>(a, m.place - a.step, t, edge[2], edge[0]);
  if (in_ring)
    for (int j = -3; j < 2 + AHEAD; j++) {
      bring_cell(window, j + SLOTS, t, cells, j);
      __pipeline_commit();
    }
  if (VISCOUS)
    for (int j = -2; j < 1; j++) put_stress(stress, j + 4, t, stress_at(a, m.place + j * a.step));
#pragma unroll 1
  for (int64_t j = m.first; j <= m.end; j++, slot++) {
    const int64_t i = m.place + (j - m.first) * a.step;
    if (components) {
      edges_at<W, V>(a, i, t, edge[2], edge[now]);
      upper = face_of<V>(a, cell_of(cells, 2), cell_of(cells, 3), edge[!now], t, edge[2], t);
      if (V != TRIAD_COMPRESSIBLE_PUBLISHED)
        upper = limited(a, a.g.limits, cell_of(cells, 2), cell_of(cells, 3), upper);
      now = !now;
    } else if (in_ring) {
      if (j + AHEAD <= m.end) bring_cell(window, slot + 2 + AHEAD + SLOTS, t, cells, 2 + AHEAD);
      __pipeline_commit();
      __pipeline_wait_prior(AHEAD);
      const ring_cells near = {&window.q[0][0][t], slot + SLOTS - 3};
      upper = waves_face<W, V == TRIAD_COMPRESSIBLE_ANY_WAVES>(a, near);
      read_again();
      upper = limited(a, a.g.limits, cell_of(near, 2), cell_of(near, 3), upper);
    } else {
      upper = waves_face<W, V == TRIAD_COMPRESSIBLE_ANY_WAVES>(a, cells);
      read_again();
      upper = limited(a, a.g.limits, cell_of(cells, 2), cell_of(cells, 3), upper);
    }
    upper = at_wall(a, j, false, i, upper);
    if (VISCOUS) {
      put_stress(stress, slot + 1, t, stress_at(a, i + a.step));
      upper = triad_compressible_less_stress(upper, stress_of(stress, slot + 2, t), stress_of(stress, slot + 3, t),
                                             stress_of(stress, slot, t), stress_of(stress, slot + 1, t));
      upper = at_wall(a, j, true, i, upper);
    }
    if (j > m.first) add_face_difference(a, i - a.step, in_ring ? flux_in(below, t) : lower, upper);
    if (in_ring) put_flux(below, t, upper);
    else lower = upper;
#pragma unroll
    for (int f = 0; f < 5; f++) cells.q[f] += a.step;
  }
}

template <int W, int V> static int march(const sweep_args *a, cudaStream_t stream)
{
  int lanes;
  int64_t segment;
  dim3 blocks = march_blocks(a, &lanes, &segment);
  if (a->g.viscous) TRIAD_LAUNCH(blocks, dim3(LANES), stream, march_kernel<W, V, 1>)(*a, lanes, segment);
  else TRIAD_LAUNCH(blocks, dim3(LANES), stream, march_kernel<W, V, 0>)(*a, lanes, segment);
  return launched("a sweep along y or z");
}

int triad_compressible_sweep_march(const sweep_args *a, cudaStream_t stream)
{
  if (is_published(a)) return march<TRIAD_WENO_JS, TRIAD_COMPRESSIBLE_PUBLISHED>(a, stream);
  TRIAD_COMPRESSIBLE_BY_WEIGHTS(march, a, stream)
}
