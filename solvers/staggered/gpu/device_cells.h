/* How kernels of the pressure's vectors cover a rank's cells: threads along x and y, each going up a column. For
 * cuda/. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_CELLS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_CELLS_H

#include "solvers/staggered/gpu/device_sums.h"

typedef triad_staggered_gpu_cells cells;
typedef triad_staggered_gpu_results sums;

/* Rows of a block; cells of a column: enough blocks to keep all multiprocessors at work to the end, columns long
 * enough to be worth their ends, which are read twice. */
enum { ROWS = 8, WIDE = 64, NARROW = 32 };
static constexpr int64_t enough_blocks = 4096, shortest = 8, longest = 32;

static int wide(int64_t nx) { return nx > NARROW ? WIDE : NARROW; }

static int64_t ceiling(int64_t n, int64_t each) { return (n + each - 1) / each; }

static int64_t segment_of(const int64_t local[3])
{
  int64_t blocks = ceiling(local[0], wide(local[0])) * ceiling(local[1], ROWS);
  int64_t segment = local[2] * blocks / enough_blocks;
  return segment < shortest ? shortest : segment > longest ? longest : segment;
}

static dim3 grid_of(const int64_t local[3])
{
  return dim3((unsigned)ceiling(local[0], wide(local[0])), (unsigned)ceiling(local[1], ROWS),
              (unsigned)ceiling(local[2], segment_of(local)));
}

static __device__ __forceinline__ int is_solid(const cells &c, int at)
{
  return c.sizes.open[at] & TRIAD_STAGGERED_SOLID;
}

#endif
