/* Steps with the state on a GPU, as a table for CPU files, NULL in a build without CUDA; callers have flow->gpu. The
 * mesh, initial conditions, measurements and files stay on the host. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_H

#include "solvers/unstructured/state/flow.h"

typedef struct triad_unstructured_gpu_part {
  /* flow->gpu for flow->device: its memory, the device's copy of the state attached to flow->state, flow->loops.
   * Collective; agrees. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE */
  int (*make)(triad_unstructured_flow *flow, const char *transport);
  void (*drop)(triad_unstructured_flow *flow);
  int (*values)(triad_unstructured_flow *flow); /* to the host. Not collective */
  /* bytes that this rank sends in one exchange of n numbers a cell; the word of what carries them */
  int64_t (*sent_bytes)(const triad_unstructured_flow *flow, int n);
  const char *(*transport)(const triad_unstructured_flow *flow);
  int (*by_corners)(
    const triad_unstructured_flow *flow); /* has it of faces between tetrahedra corners alone (setup.h)? */
} triad_unstructured_gpu_part;
extern const triad_unstructured_gpu_part *const triad_unstructured_gpu_steps; /* device.c; the table is gpu_flow.c's */

#endif
