/* Threads of a zone's cells in tiles (cuda/fct_*.cu): a block takes WIDE x HIGH cells of a layer, and blocks go through all layers of a
 * tile before they come to the next tile, so that cells which see each other along any axis are at work at about the same time. Cells
 * on the zone's surface are left out. For cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_TILES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_DEVICE_TILES_H

#include "solvers/unstructured/device_found.h"

enum { WIDE = 32, HIGH = THREADS / WIDE };

struct tile_cell {
  int64_t i; /* within the zone */
  int x[3], there;
};

/* One of three numbers, without a table in memory. */
template <class T> static __device__ __forceinline__ T of_axis(int axis, const T *of)
{
  return axis == 0 ? of[0] : axis == 1 ? of[1] : of[2];
}

static inline dim3 tiles_of(const triad_fct_zone *z)
{
  return dim3(blocks_for(z->n[0] - 1, WIDE) * blocks_for(z->n[1] - 2, HIGH) * (unsigned)(z->n[2] - 2));
}

/* Rows begin with the cell on the surface, so that loads are of whole lines. */
static __device__ __forceinline__ tile_cell tile_cell_of(const triad_fct_zone &z)
{
  tile_cell p;
  const int layers = z.n[2] - 2, tiles = (z.n[1] - 2 + HIGH - 1) / HIGH;
  const int layer = (int)blockIdx.x % layers, tile = (int)blockIdx.x / layers;
  p.x[0] = tile / tiles * WIDE + (int)threadIdx.x % WIDE;
  p.x[1] = 1 + tile % tiles * HIGH + (int)threadIdx.x / WIDE;
  p.x[2] = 1 + layer;
  p.there = p.x[0] > 0 && p.x[0] + 1 < z.n[0] && p.x[1] + 1 < z.n[1];
  p.i = p.x[0] + z.n[0] * (p.x[1] + z.n[1] * (int64_t)p.x[2]);
  return p;
}

#endif
