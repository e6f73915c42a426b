/* The tiles of all blocks of a rank, as a table for kernels. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_TILES_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_TILES_H

#include "solvers/multiblock/gpu/gpu_internal.h"

/* gpu_tiles.c: tiles and blocks of this rank on the GPU. Not collective. */
int triad_multiblock_gpu_tiles(triad_multiblock_flow *flow);

#endif
