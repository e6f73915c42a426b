/* For kernels that process one face or cell per thread: five fields at an index, and the cells of a thread. For cuda/
 * only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_CELLS_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_CELLS_H

#include "solvers/multiblock/gpu/device_tiles.h"

typedef triad_multiblock_gpu mesh;

enum { THREADS = TRIAD_MULTIBLOCK_GPU_THREADS, FIELDS = TRIAD_MULTIBLOCK_FIELDS };

struct five {
  triad_real *q[FIELDS];
};

static five five_of(triad_real *const q[FIELDS]) { return five{{q[0], q[1], q[2], q[3], q[4]}}; }

static __device__ __forceinline__ triad_gas_state state_at(const five &f, int at)
{
  return (triad_gas_state){f.q[0][at], f.q[1][at], f.q[2][at], f.q[3][at], f.q[4][at]};
}

static __device__ __forceinline__ void put_state(const five &f, int at, triad_gas_state q)
{
  f.q[0][at] = q.rho;
  f.q[1][at] = q.u;
  f.q[2][at] = q.v;
  f.q[3][at] = q.w;
  f.q[4][at] = q.p;
}

static __device__ __forceinline__ int number(void) { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }

/* ---- tiles, cell by cell ---- */

/* This thread's cells, with its tile and block; n is 0 where it has none. */
struct own {
  triad_multiblock_gpu_block block;
  int tile, lane, at, step, n;
};

static __device__ __forceinline__ own own_cells(const mesh &g)
{
  own o;
  o.tile = tile_of_warp(g.begin[TRIAD_MULTIBLOCK_GPU_COLUMNS], &o.lane);
  o.n = -1;
  if (o.tile >= g.begin[TRIAD_MULTIBLOCK_GPU_KINDS]) return o;
  const triad_multiblock_gpu_tile tile = g.tile[o.tile];
  o.block = g.block[tile.block];
  const march m = o.tile < g.begin[TRIAD_MULTIBLOCK_GPU_PLANES]
                    ? march_of<TRIAD_MULTIBLOCK_GPU_COLUMNS>(o.block, tile, o.lane, g.node[0] != NULL)
                  : o.tile < g.begin[TRIAD_MULTIBLOCK_GPU_SIDES]
                    ? march_of<TRIAD_MULTIBLOCK_GPU_PLANES>(o.block, tile, o.lane, 0)
                    : march_of<TRIAD_MULTIBLOCK_GPU_SIDES>(o.block, tile, o.lane, 0);
  o.at = m.at;
  o.step = m.step;
  o.n = m.mine ? m.n : 0;
  return o;
}

static inline dim3 blocks_of_all(const mesh *g)
{
  return blocks_of_tiles(g->begin[TRIAD_MULTIBLOCK_GPU_KINDS] - g->begin[TRIAD_MULTIBLOCK_GPU_COLUMNS]);
}

static inline int is_empty(const mesh *g) { return g->begin[TRIAD_MULTIBLOCK_GPU_KINDS] == 0; }

#endif
