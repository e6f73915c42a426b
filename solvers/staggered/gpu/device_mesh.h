/* For kernels: the mapping of threads to the cells of a mesh, in the layout of fields. For cuda/ only. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_MESH_H
#define TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_MESH_H

#include "solvers/staggered/gpu/device_sums.h"

typedef triad_staggered_gpu mesh;
typedef triad_staggered_gpu_results sums;

struct three {
  triad_real *u[3];
};

enum { LANES = 32, ROWS = 8 };

static inline dim3 blocks_of(const mesh *g)
{
  return dim3(blocks_for(g->local[0], LANES), blocks_for(g->local[1], ROWS), (unsigned)g->local[2]);
}

/* Kernels with sums loop over planes, so that there are few blocks whose sums must be added. */
static inline dim3 few_blocks_of(const mesh *g)
{
  dim3 blocks = blocks_of(g);
  if (blocks.z > TRIAD_STAGGERED_GPU_PLANES) blocks.z = TRIAD_STAGGERED_GPU_PLANES;
  return blocks;
}

/* The cell of a thread: 0 where there is none. */
static __device__ __forceinline__ int own_cell(const mesh &g, int64_t c[3], int64_t *at)
{
  c[0] = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  c[1] = blockIdx.y * (int64_t)blockDim.y + threadIdx.y;
  c[2] = blockIdx.z;
  *at = g.origin + c[0] + c[1] * g.stride[1] + c[2] * g.stride[2];
  return c[0] < g.local[0] && c[1] < g.local[1];
}

/* The next one above it, of a kernel with sums. */
static __device__ __forceinline__ int next_cell(const mesh &g, int64_t c[3], int64_t *at)
{
  c[2] += gridDim.z;
  *at += gridDim.z * g.stride[2];
  return c[2] < g.local[2];
}

#endif
