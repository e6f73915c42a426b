/* How blocks are cut into tiles for the kernels of a stage. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_TILES_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_TILES_H

#include "solvers/multiblock/gpu/gpu_internal.h"

/* gpu_tiles.c: tiles and blocks of this rank on the GPU. Not collective. */
int triad_multiblock_gpu_tiles(triad_multiblock_flow *flow);

#endif
