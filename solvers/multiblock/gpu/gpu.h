/* Steps with the state on a GPU, as the files of the CPU call them: one table, NULL in a build without CUDA; who has
 * flow->gpu may call. Grids, metrics, lists of faces, starts and files stay with the host. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_GPU_H

#include "solvers/multiblock/state/flow.h"

/* All that return a status are collective, and agree. */
typedef struct triad_mb_gpu_part {
  /* flow->gpu for flow->device: its memory, and the device's copy of the state attached to flow->state.
   * TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. */
  int (*make)(triad_mb_flow *flow, const char *transport);
  void (*drop)(triad_mb_flow *flow);
  /* primitives of the state, halos, boundaries; flow->most and flow->bad are those of this rank then */
  int (*refresh)(triad_mb_flow *flow);
  /* all stages of a step, of cfl/rate each cell, or of dt where dt > 0; as refresh, and sums of squares of the first
   * stage */
  int (*stages)(triad_mb_flow *flow, double cfl, double dt, double squares[TRIAD_MB_FIELDS]);
  /* of this rank: energy, mass; face_flux and face_drag of the host */
  int (*measure)(triad_mb_flow *flow, double *energy, double *mass, double *limited);
  /* steps do one thing after the other, and add to flow->phases */
  void (*apart)(triad_mb_flow *flow, int apart);
  /* bytes that this rank sends in a stage; the word of their transport */
  int64_t (*sent_bytes)(const triad_mb_flow *flow);
  const char *(*transport)(const triad_mb_flow *flow);
  /* bytes of the GPU that a rank with this much memory a field and so many boundary faces takes, without taking them */
  int64_t (*bytes)(const triad_mb_setup *setup, const triad_zones *zones, int64_t memory, int64_t faces);
} triad_mb_gpu_part;
extern const triad_mb_gpu_part *const triad_mb_gpu_steps; /* device.c; the table is gpu_step.c's */

/* Why no GPU can take the steps of this case, in words; NULL: one can. */
extern const triad_device_support triad_mb_devices;

int triad_mb_choose_device(triad_mb_flow *flow);
void triad_mb_describe_device(const triad_mb_flow *flow, triad_log *log);

#endif
