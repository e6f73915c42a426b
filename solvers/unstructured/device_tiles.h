/* Threads of a zone's cells in tiles (cuda/fct_*.cu): a block takes WIDE x HIGH cells of a layer. Blocks go along the first axis, then
 * through a slab of some layers, then along the second axis, and then to the next slab: so cells which see each other along any axis are
 * at work at about the same time, and what blocks that lie side by side leave of a sector of memory meets in the cache. For cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_TILES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_TILES_H

#include "solvers/unstructured/device_found.h"
#include "solvers/unstructured/fct_box_points.h"

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

/* How many tiles there are along the first two axes, slabs, and layers of a slab. */
struct tiles {
  int along, beside, slabs, layers;
};

TRIAD_POINT_INLINE tiles tiles_of(const triad_fct_zone &z, const triad_fct_box &b)
{
  const int layers = b.end - b.begin, slabs = (layers + SLAB - 1) / SLAB;
  return {(z.n[0] + WIDE - 1) / WIDE, (z.n[1] + HIGH - 1) / HIGH, slabs, (layers + slabs - 1) / slabs};
}

static inline dim3 blocks_of_tiles(const triad_fct_zone *z, const triad_fct_box *b)
{
  const tiles t = tiles_of(*z, *b);
  return dim3((unsigned)t.along * (unsigned)t.layers * (unsigned)t.beside * (unsigned)t.slabs);
}

/* Rows begin with the cell on the surface, so that loads are of whole lines. */
static __device__ __forceinline__ tile_cell tile_cell_of(const triad_fct_zone &z, const triad_fct_box &b)
{
  const tiles t = tiles_of(z, b);
  const int row = (int)blockIdx.x / t.along, column = row / t.layers, slab = column / t.beside;
  tile_cell p;
  p.x[0] = ((int)blockIdx.x - row * t.along) * WIDE + (int)threadIdx.x % WIDE;
  p.x[1] = (column - slab * t.beside) * HIGH + (int)threadIdx.x / WIDE;
  p.x[2] = b.begin + slab * t.layers + row - column * t.layers;
  p.there = p.x[0] < z.n[0] && p.x[1] < z.n[1] && p.x[2] < b.end;
  p.i = p.x[0] + z.n[0] * (p.x[1] + z.n[1] * (int64_t)p.x[2]);
  return p;
}

#endif
