/* Sort particles by tiles, by counting, for cuda/ only. `Tile` is called with the number of a particle and returns its
 * tile, 0 .. tiles - 1, or -1 to leave it out. The order of particles within a tile is undefined; nothing may depend
 * on it. */
#ifndef TRIAD_SOLVERS_PARTICLES_DEVICE_ORDER_H
#define TRIAD_SOLVERS_PARTICLES_DEVICE_ORDER_H

#include "parallel/device_launch.h"

enum { ORDER_THREADS = 256, ORDER_SCAN = 8 /* tiles a thread adds up */ };

/* end[tile]: how many are in it; and of each particle its tile, and how many of that came before it. Threads of a
 * warp that have the same tile, as most have, add to it at once. */
template <class Tile> static __global__ void count_tiles(const Tile tile_of, int64_t n, int32_t *end, int64_t *place)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  const int tile = i < n ? tile_of(i) : -1, me = threadIdx.x % 32;
  const unsigned same = __match_any_sync(0xffffffffu, tile);
  const int first = __ffs((int)same) - 1;
  int before = 0;
  if (me == first && tile >= 0) before = atomicAdd(&end[tile], __popc(same));
  before = __shfl_sync(0xffffffffu, before, first) + __popc(same & ((1u << me) - 1));
  if (i < n) place[i] = tile < 0 ? -1 : (int64_t)tile << 32 | before;
}

/* order[k]: which particle is k-th. */
static __global__ void place_in_tiles(int64_t n, const int64_t *place, const int32_t *end, int32_t *order)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int64_t at = place[i], tile = at >> 32;
  if (at >= 0) order[(tile > 0 ? end[tile - 1] : 0) + (int32_t)at] = (int32_t)i;
}

/* Sum of the numbers of threads before this one, and of all. */
static __device__ __forceinline__ int before_in_block(int mine, int *all)
{
  __shared__ int sum[2][ORDER_THREADS];
  const int me = threadIdx.x;
  int now = 0;
  sum[0][me] = mine;
  __syncthreads();
  for (int step = 1; step < ORDER_THREADS; step *= 2, now = 1 - now) {
    sum[1 - now][me] = sum[now][me] + (me >= step ? sum[now][me - step] : 0);
    __syncthreads();
  }
  *all = sum[now][ORDER_THREADS - 1];
  const int before = sum[now][me] - mine;
  __syncthreads();
  return before;
}

static __global__ void add_up_blocks(int64_t n, const int32_t *count, int32_t *of_block)
{
  const int64_t first = (blockIdx.x * (int64_t)ORDER_THREADS + threadIdx.x) * ORDER_SCAN;
  int mine = 0, all;
  for (int64_t i = first; i < first + ORDER_SCAN && i < n; i++) mine += count[i];
  (void)before_in_block(mine, &all);
  if (threadIdx.x == 0) of_block[blockIdx.x] = all;
}

/* One block: sums of blocks become sums of those before. */
static __global__ void add_up_all(int64_t n, int32_t *of_block)
{
  int before = 0;
  for (int64_t first = 0; first < n; first += ORDER_THREADS) {
    const int64_t i = first + threadIdx.x;
    int all;
    const int mine = i < n ? of_block[i] : 0, within = before_in_block(mine, &all);
    if (i < n) of_block[i] = before + within;
    before += all;
  }
}

/* Numbers of tiles become where they end. */
static __global__ void end_tiles(int64_t n, int32_t *count, const int32_t *of_block)
{
  const int64_t first = (blockIdx.x * (int64_t)ORDER_THREADS + threadIdx.x) * ORDER_SCAN;
  int mine = 0, all;
  for (int64_t i = first; i < first + ORDER_SCAN && i < n; i++) mine += count[i];
  int at = of_block[blockIdx.x] + before_in_block(mine, &all);
  for (int64_t i = first; i < first + ORDER_SCAN && i < n; i++) count[i] = at += count[i];
}

/* Numbers that `scratch` has room for. */
static inline int64_t order_room(int64_t tiles) { return blocks_for(tiles, ORDER_THREADS * ORDER_SCAN); }

/* order[..] of those of n that have a tile; end[tiles]: where those of each end in it; place[n] is used up. */
template <class Tile>
static int order_by_tiles(const Tile &tile_of, int64_t n, int64_t tiles, int32_t *end, int64_t *place, int32_t *order,
                          int32_t *scratch, void *stream)
{
  const dim3 particles(blocks_for(n, ORDER_THREADS)), blocks(blocks_for(tiles, ORDER_THREADS * ORDER_SCAN)),
    threads(ORDER_THREADS);
  if (tiles == 0) return TRIAD_OK;
  if (cudaMemsetAsync(end, 0, (size_t)tiles * sizeof *end, (cudaStream_t)stream) != cudaSuccess)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "tiles of particles cannot be cleared");
  TRIAD_LAUNCH(particles, threads, stream, count_tiles<Tile>)(tile_of, n, end, place);
  TRIAD_LAUNCH(blocks, threads, stream, add_up_blocks)(tiles, end, scratch);
  TRIAD_LAUNCH(dim3(1), threads, stream, add_up_all)(blocks.x, scratch);
  TRIAD_LAUNCH(blocks, threads, stream, end_tiles)(tiles, end, scratch);
  TRIAD_LAUNCH(particles, threads, stream, place_in_tiles)(n, place, end, order);
  return launched("sorting of particles");
}

#endif
