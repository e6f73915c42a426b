/* What carries messages between GPUs: the case's word parallel.transport, or by what is there. */
#ifndef TRIAD_PARALLEL_GPU_CARRIER_H
#define TRIAD_PARALLEL_GPU_CARRIER_H

#include "parallel/context.h"
#include "parallel/device.h"

typedef enum triad_gpu_carrier {
  TRIAD_GPU_NCCL,
  TRIAD_GPU_IPC,      /* copies into the other's memory, within a node */
  TRIAD_GPU_PUT,      /* a kernel's stores into it                     */
  TRIAD_GPU_STAGED,   /* through pinned memory of the host and MPI     */
  TRIAD_GPU_CUDA_MPI, /* MPI that takes GPU memory                     */
  TRIAD_GPU_CARRIERS
} triad_gpu_carrier;

/* Its word in a case. */
const char *triad_gpu_carrier_name(triad_gpu_carrier carrier);

/* The carrier for a word of the case, "auto" among them. TRIAD_ERR_FEATURE with the reason where it cannot be had.
 * Collective; agreed. */
int triad_gpu_carrier_choose(triad_gpu_carrier *out, const char *word, const triad_context *context,
                             const triad_device *device);

/* Those that work between these ranks' devices, the words in names[TRIAD_GPU_CARRIERS]. Collective; agreed. */
int triad_gpu_carrier_list(const triad_context *context, const triad_device *device, const char **names, int *n);

#endif
