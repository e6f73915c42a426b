/* For kernels of the multi-block solver: the rate of a cell, sweeps of lanes, and sums over tiles. For cuda/ only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_TILES_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_TILES_H

#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "parallel/device_launch.h"

/* Begin to bring the cache line of an address to the second cache. */
static __device__ __forceinline__ void ahead(const triad_real *address)
{
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  (void)address;
#endif
}

/* Where area vectors come from: they are kept; they follow from nodes, which are; a kernel sees which. */
enum metrics { AREAS, NODES, EITHER };

/* Of the lower face of the cell at a place across an axis. */
template <int METRICS>
static __device__ __forceinline__ triad_gas_vector area_at(const triad_multiblock_gpu &g, const int stride[3], int axis,
                                                           int at)
{
  if (METRICS == NODES || (METRICS == EITHER && g.node[0]))
    return triad_multiblock_area_between(g.node, at, stride[axis == 2 ? 0 : axis + 1],
                                         stride[axis == 0 ? 2 : axis - 1]);
  return triad_multiblock_vector_at(g.s[axis], at);
}

/* Waves and diffusion of a cell with these primitives across an axis, whose faces have these areas, as in
 * host/rates.c, added to those across the axes before it. */
static __device__ __forceinline__ triad_real add_rate(const triad_multiblock_gpu &g, triad_gas_vector low,
                                                      triad_gas_vector up, triad_gas_state q, triad_real spread,
                                                      triad_real rate)
{
  const triad_real half = TRIAD_R(0.5);
  const triad_real mean[3] = {half * (low.x + up.x), half * (low.y + up.y), half * (low.z + up.z)};
  rate += triad_multiblock_wave_rate(q, mean, g.gamma);
  return rate + spread * (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
}

/* Those across all axes: noted, and returned over the cell's volume. */
template <int METRICS>
static __device__ __forceinline__ double look_at(const triad_multiblock_gpu &g, const triad_multiblock_gpu_block &b,
                                                 int at, triad_gas_state q)
{
  const triad_real per_volume = triad_gas_per(g.volume[at]);
  triad_real rate = 0, spread = 0;
  if (g.viscosity) {
    triad_real t = q.p * triad_gas_per(q.rho) * g.per_r;
    spread = g.diffusion * triad_multiblock_viscosity(t, g.mu, g.reference, g.power, g.sutherland) *
             triad_gas_per(q.rho) * per_volume;
  }
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
    if (axis != b.flat)
      rate = add_rate(g, area_at<METRICS>(g, b.stride, axis, at),
                      area_at<METRICS>(g, b.stride, axis, at + b.stride[axis]), q, spread, rate);
  g.rate[at] = rate;
  return (double)(rate * per_volume);
}

/* What diffusion reads of these primitives. */
static __device__ __forceinline__ triad_multiblock_sight sight_of(const triad_multiblock_gpu &g,
                                                                  const triad_real *const q[TRIAD_MULTIBLOCK_FIELDS])
{
  return triad_multiblock_sight{
    {q[1], q[2], q[3], g.temperature},
    g.viscosity,
    {{g.s[0][0], g.s[0][1], g.s[0][2]}, {g.s[1][0], g.s[1][1], g.s[1][2]}, {g.s[2][0], g.s[2][1], g.s[2][2]}},
    g.volume,
    g.conduction};
}

/* Number of a cell in its block. */
struct place {
  int i, j, k;
};

/* A lane's cells: the first, how far it is to the next, and how many. mine: they are own ones, and of no other lane. */
struct march {
  place c;
  int at, step, n, mine, lanes, along; /* lanes, along: axes */
};

/* The axis that blocks of a kind are flat along, known when this is compiled but for sides. */
template <int KIND> static __device__ __forceinline__ int flat_of(const triad_multiblock_gpu_block &b)
{
  return KIND == TRIAD_MULTIBLOCK_GPU_SIDES ? b.flat : KIND == TRIAD_MULTIBLOCK_GPU_PLANES ? 2 : -1;
}

/* nodes: they are kept. */
template <int KIND>
static __device__ __forceinline__ march march_of(const triad_multiblock_gpu_block &b,
                                                 const triad_multiblock_gpu_tile &tile, int lane, int nodes)
{
  const int lanes = KIND == TRIAD_MULTIBLOCK_GPU_SIDES && b.flat == 0,
            along = KIND == TRIAD_MULTIBLOCK_GPU_ROWS || KIND == TRIAD_MULTIBLOCK_GPU_PLANES ? 1 : 2,
            rows = 3 - lanes - along, low = KIND != TRIAD_MULTIBLOCK_GPU_COLUMNS, high = low || nodes,
            width = b.n[lanes] + low + high, last = width * b.n[rows] - 1, wanted = tile.from + lane,
            at = wanted < last ? wanted : last;
  const int row = at / width, i = at - row * width - low, inner = i >= 0 && i < b.n[lanes] && wanted <= last;
  march m;
  m.lanes = lanes;
  m.along = along;
  m.c.i = lanes == 0 ? i : 0;
  m.c.j = lanes == 1 ? i : along == 1 ? tile.begin : row;
  m.c.k = along == 2 ? tile.begin : row;
  m.at = b.origin + m.c.i + m.c.j * b.stride[1] + m.c.k * b.stride[2];
  m.step = b.stride[along];
  m.n = tile.length;
  m.mine = inner && lane >= low && lane < TRIAD_MULTIBLOCK_GPU_LANES - high;
  return m;
}

/* N numbers of all lanes of a tile, added up, or the LARGEST, always in the same order, to where the tiles' number
 * `first` stands. */
template <int N, int LARGEST>
static __device__ __forceinline__ void leave_sums(const triad_multiblock_gpu &g, double *value, int first, int tile,
                                                  int lane)
{
  const int64_t all = g.begin[TRIAD_MULTIBLOCK_GPU_KINDS] - g.begin[TRIAD_MULTIBLOCK_GPU_COLUMNS];
#pragma unroll
  for (int i = 0; i < N; i++) {
    for (int step = TRIAD_MULTIBLOCK_GPU_LANES / 2; step > 0; step /= 2) {
      double other = __shfl_xor_sync(0xffffffffu, value[i], step);
      value[i] = LARGEST ? fmax(value[i], other) : value[i] + other;
    }
    if (lane == 0) g.partial[(first + i) * all + tile - g.begin[TRIAD_MULTIBLOCK_GPU_COLUMNS]] = value[i];
  }
}

/* The tile of a warp, of those from `from` on; lane: of this thread. */
static __device__ __forceinline__ int tile_of_warp(int from, int *lane)
{
  const int warp = (int)threadIdx.x / TRIAD_MULTIBLOCK_GPU_LANES;
  *lane = (int)threadIdx.x - warp * TRIAD_MULTIBLOCK_GPU_LANES;
  return from + (int)blockIdx.x * TRIAD_MULTIBLOCK_GPU_WARPS + warp;
}

static inline dim3 blocks_of_tiles(int n)
{
  return dim3((unsigned)((n + TRIAD_MULTIBLOCK_GPU_WARPS - 1) / TRIAD_MULTIBLOCK_GPU_WARPS));
}

#endif
