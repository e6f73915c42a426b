/* Threads of a kernel by rows, by cells inside a zone, by faces of a list or of a zone (gpu_unstructured.h). For
 * cuda/. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_PLACES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_DEVICE_PLACES_H

#include "solvers/unstructured/gpu/device_found.h"

static __device__ __forceinline__ int64_t item(void) { return blockIdx.x * (int64_t)THREADS + threadIdx.x; }

/* ---- cells ---- */

/* A thread's cell: its sides, and where they are; in a tile, how far it is along each axis. */
struct place {
  int64_t at, cell;
  int n, sides, there, x[3];
};

/* Rows: a warp's are one slice. */
static __device__ __forceinline__ place row_of(const triad_unstructured_view &v, const triad_unstructured_gpu_cells &c)
{
  place p;
  const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x, row = c.first + i;
  p.there = i < c.n;
  if (!p.there) return p;
  const int64_t slice = row / TRIAD_UNSTRUCTURED_SLICE, start = v.start[slice];
  p.n = (int)(v.start[slice + 1] - start) / TRIAD_UNSTRUCTURED_SLICE;
  p.at = start + row % TRIAD_UNSTRUCTURED_SLICE;
  p.sides = v.sides[row];
  p.cell = c.list ? c.list[i] : c.cell + i;
  return p;
}

/* Cells of a zone that are not on its surface. */
static __device__ __forceinline__ place inside(const triad_mesh_zone &z)
{
  place p;
  const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
  p.there = i < z.cells;
  if (!p.there) return p;
  const int at = (int)i, x = at % z.n[0], y = at / z.n[0] % z.n[1], w = at / z.n[0] / z.n[1];
  p.there = x > 0 && x + 1 < z.n[0] && y > 0 && y + 1 < z.n[1] && w > 0 && w + 1 < z.n[2];
  p.n = p.sides = TRIAD_MESH_ZONE_SIDES;
  p.at = p.cell = z.cell + i;
  return p;
}

/* Two kernels of each: of rows, and of a zone. */
#define PLACE_OF_ROW \
  const triad_mesh_zone *const zone = NULL; \
  const place p = row_of(v, c)
#define PLACE_IN_ZONE \
  const triad_mesh_zone *const zone = &z; \
  const place p = inside(z)

static inline dim3 blocks_of(const triad_unstructured_gpu_cells *c)
{
  return dim3(blocks_for(c->zone ? c->zone->cells : c->n, THREADS));
}

static inline int is_nothing(const triad_unstructured_gpu_cells *c) { return !c->zone && c->n == 0; }

/* ---- faces ---- */

/* Upper faces of a cell i of a zone, one for each axis along which there is another cell. */
struct upper_face {
  int64_t face, l, r;
  int there;
};

static __device__ __forceinline__ upper_face upper_face_of(const triad_mesh_zone &z, int64_t i, int axis)
{
  const int at = (int)i, x = at % z.n[0], y = at / z.n[0] % z.n[1], w = at / z.n[0] / z.n[1];
  const int last = axis == 0 ? x + 1 == z.n[0] : axis == 1 ? y + 1 == z.n[1] : w + 1 == z.n[2];
  const int64_t stride = axis == 0 ? z.stride[0] : axis == 1 ? z.stride[1] : z.stride[2];
  return {z.slot + axis * z.cells + i, z.cell + i, z.cell + i + stride, !last};
}

#endif
