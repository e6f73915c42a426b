/* What carries messages between GPUs: the case's word parallel.transport, or by what is there. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_H
#define TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_H

#include "parallel/context.h"
#include "parallel/device.h"

typedef enum triad_transport {
  TRIAD_TRANSPORT_NCCL,
  TRIAD_TRANSPORT_IPC,      /* copies into the other's memory, within a node */
  TRIAD_TRANSPORT_PUT,      /* a kernel's stores into it                     */
  TRIAD_TRANSPORT_STAGED,   /* through pinned memory of the host and MPI     */
  TRIAD_TRANSPORT_CUDA_MPI, /* MPI that takes GPU memory                     */
  TRIAD_TRANSPORTS
} triad_transport;

/* Its word in a case. */
const char *triad_transport_name(triad_transport transport);

/* The transport for a word of the case, "auto" among them. TRIAD_ERR_FEATURE with the reason where it cannot be had.
 * Collective; agreed. */
int triad_transport_choose(triad_transport *out, const char *word, const triad_context *context,
                           const triad_device *device);

/* Those that work between these ranks' devices, the words in names[TRIAD_TRANSPORTS]. Collective; agreed. */
int triad_transport_list(const triad_context *context, const triad_device *device, const char **names, int *n);

#endif
