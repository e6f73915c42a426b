/* The mapping of threads to a zone's cells in tiles (cuda/unstructured/): a block processes WIDE x HIGH cells of a
 * layer. Blocks are numbered along the first axis, then through a slab of some layers, then along the second axis, then
 * to the next slab. Neighbouring cells along any axis are therefore processed at about the same time, and adjacent
 * blocks share memory sectors in the cache. For cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_TILES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_TILES_H

#include "solvers/unstructured/gpu/device_found.h"
#include "solvers/unstructured/points/box_points.h"

enum { WIDE = 32, HIGH = THREADS / WIDE, SLAB = 32 };

struct tile_cell {
  int64_t i; /* within the zone */
  int x[3], there;
};

/* One of three numbers, without a table in memory. */
template <class T> static __device__ __forceinline__ T of_axis(int axis, const T *of)
{
  return axis == 0 ? of[0] : axis == 1 ? of[1] : of[2];
}

/* n / by for 0 <= n < 2^31, as the high half of a product. With 2^(p - 1) < by <= 2^p, times is 2^(31 + p) / by,
 * rounded up, so that the product is too large by less than 2^-p <= 1 / by (Granlund and Montgomery 1994, Division
 * by invariant integers using multiplication). */
struct divisor {
  unsigned by, times;
  int shift;
};

static inline divisor divisor_of(int by)
{
  int p = 0;
  while ((int64_t)1 << p < by) p++;
  return {(unsigned)by, by == 1 ? 0 : (unsigned)((((uint64_t)1 << (31 + p)) + (unsigned)by - 1) / (unsigned)by), p - 1};
}

static __device__ __forceinline__ int divided(int n, const divisor &d)
{
  return d.by == 1 ? n : (int)((unsigned)(((uint64_t)(unsigned)n * d.times) >> 32) >> d.shift);
}

/* Does it hold of all threads of a warp? On the host, where unit tests run kernels, of this one. */
#ifdef __CUDACC__
static __device__ __forceinline__ int all_of_warp(int it) { return __all_sync(0xffffffffu, it); }
#else
static inline int all_of_warp(int it) { return it; }
#endif

/* Are a warp's cells all within the zone, `above` cells of which lie above each of them along each axis, and one
 * below? */
static __device__ __forceinline__ int is_warp_within(const triad_mesh_zone &z, const tile_cell &p, int above)
{
  int within = p.there;
  for (int a = 0; a < 3; a++) within = within && p.x[a] > 0 && p.x[a] + above < z.n[a];
  return all_of_warp(within);
}

/* How many tiles there are along the first two axes, slabs, and layers of a slab. There is a layer at least. */
struct tiles {
  divisor along, layers, beside;
  int slabs;
};

static inline tiles tiles_of(const triad_mesh_zone *z, const triad_unstructured_box *b)
{
  const int layers = b->end - b->begin, slabs = (layers + SLAB - 1) / SLAB;
  return {divisor_of((z->n[0] + WIDE - 1) / WIDE), divisor_of((layers + slabs - 1) / slabs),
          divisor_of((z->n[1] + HIGH - 1) / HIGH), slabs};
}

static inline dim3 blocks_of_tiles(const tiles &t)
{
  return dim3(t.along.by * t.layers.by * t.beside.by * (unsigned)t.slabs);
}

/* Rows begin with the cell on the surface, so that loads are of whole lines. */
static __device__ __forceinline__ tile_cell tile_cell_of(const triad_mesh_zone &z, const triad_unstructured_box &b,
                                                         const tiles &t)
{
  const int tile = (int)blockIdx.x, row = divided(tile, t.along), column = divided(row, t.layers),
            slab = divided(column, t.beside);
  tile_cell p;
  p.x[0] = (tile - row * (int)t.along.by) * WIDE + (int)threadIdx.x % WIDE;
  p.x[1] = (column - slab * (int)t.beside.by) * HIGH + (int)threadIdx.x / WIDE;
  p.x[2] = b.begin + slab * (int)t.layers.by + row - column * (int)t.layers.by;
  p.there = p.x[0] < z.n[0] && p.x[1] < z.n[1] && p.x[2] < b.end;
  p.i = p.x[0] + z.n[0] * (p.x[1] + z.n[1] * (int64_t)p.x[2]);
  return p;
}

#endif
