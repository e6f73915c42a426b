/* The transport between GPUs: choose it, and list the available ones. Collective. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_H
#define TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_H

#include "parallel/transports/messages.h"

/* The transport for a word of the case, including "auto". TRIAD_ERR_FEATURE with the reason if it is not available.
 * Collective; agreed. */
int triad_transport_choose(triad_transport *out, const char *word, const triad_context *context,
                           const triad_device *device);

/* Set *meets to 1 if kernels of different ranks may wait for each other: each rank has a GPU of its own, and the
 * others can access its memory. Collective; agreed. */
int triad_transport_meets(int *meets, const triad_context *context, const triad_device *device);

/* List the transports that work between these ranks' devices: their words in names[TRIAD_TRANSPORTS]. Collective;
 * agreed. */
int triad_transport_list(const triad_context *context, const triad_device *device, const char **names, int *n);

#endif
