/* Steps with the state on a GPU, for the files of the CPU. Grids, metrics, lists of faces, initial conditions and files
 * stay on the host. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_H

#include "solvers/multiblock/step/loops.h"

typedef struct triad_multiblock_gpu_part {
  /* flow->gpu and flow->loops for flow->device: its memory, and the device's copy of the state attached to flow->state.
   * TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Collective; agreed. */
  int (*create)(triad_multiblock_flow *flow, const char *transport);
  /* bytes of a GPU that a rank with this much memory a field and so many boundary faces needs; allocates nothing */
  int64_t (*bytes)(const triad_multiblock_setup *setup, const triad_zones *zones, int64_t memory, int64_t faces);
} triad_multiblock_gpu_part;
extern const triad_multiblock_gpu_part *const triad_multiblock_gpu_steps; /* device.c; NULL in a build without CUDA */

/* The devices of this solver; why no GPU can take the steps of a case. */
extern const triad_device_support triad_multiblock_devices;

#endif
