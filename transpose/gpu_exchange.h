/* The global exchange between GPUs: columns of all z on one side, whole planes on the other (as exchange.h on CPUs).
 *
 * Planes travel in chunks of `chunk` of every rank; `depth` chunks are in flight, each in a slot of its own. All fields
 * of a chunk go in one message per peer, straight out of the peer's work array or back into it.
 *
 * The window of rank r is one piece of device memory, [work][arrived][flags of the transport]:
 *   work     a rank's columns at every z. Chunk c of rank p begins at plane z0 = p's first plane + c * chunk, place
 *            z0 * slots * columns(r), slots = max(n_in, n_out), and holds complex [plane of chunk][stride][columns(r)]:
 *            stride = n_in fields inwards, slots outwards; for r's own planes always slots, so that results may
 *            overwrite inputs plane by plane
 *   arrived  depth slots of [other rank][plane of chunk][n_in][columns of that rank]
 * Results leave from `leaving`, depth slots of [other rank][plane of chunk][slots][columns of that rank]. columns() is
 * padded. Messages go by parallel/transports/messages.h, inwards on channel 0, results on channel 1. */
#ifndef TRIAD_TRANSPOSE_GPU_EXCHANGE_H
#define TRIAD_TRANSPOSE_GPU_EXCHANGE_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/device.h"

typedef struct triad_context triad_context; /* parallel/context.h, which nvcc need not see */
typedef struct triad_gpu_exchange triad_gpu_exchange;

typedef struct triad_gpu_exchange_options {
  int nstreams;          /* chunks in flight; 0 chooses                 */
  const char *transport; /* "auto", "nccl", "ipc", "put", "staged", "cuda-mpi" */
} triad_gpu_exchange_options;

/* Columns of rank r with padding to whole cache lines. */
int64_t triad_gpu_columns_padded(const triad_layout *layout, int r);

/* How planes are cut. */
typedef struct triad_gpu_chunks {
  int64_t planes, count;
  int depth;
} triad_gpu_chunks;

/* TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE if the transport is not available. Collective. */
int triad_gpu_exchange_create(triad_gpu_exchange **out, triad_context *context, triad_device *device,
                              const triad_layout *layout, int most_in, int most_out,
                              const triad_gpu_exchange_options *options);
void triad_gpu_exchange_destroy(triad_gpu_exchange **exchange); /* collective */

/* The numbers of fields of the next exchange, at most those of create; equal on all ranks. */
void triad_gpu_exchange_fields(triad_gpu_exchange *x, int n_in, int n_out);

/* Its messages, NULL for one rank: for who has others under way at the same time (triad_gpu_messages_beside). */
typedef struct triad_gpu_messages triad_gpu_messages;
triad_gpu_messages *triad_gpu_exchange_messages(const triad_gpu_exchange *x);

triad_cplx *triad_gpu_exchange_work(const triad_gpu_exchange *x);
triad_gpu_chunks triad_gpu_exchange_chunks(const triad_gpu_exchange *x);
const char *triad_gpu_exchange_name(const triad_gpu_exchange *x); /* of the transport; "none" for one rank */

/* Planes of rank r in a chunk, local numbers *begin .. *end - 1. */
void triad_gpu_exchange_planes(const triad_gpu_exchange *x, int r, int64_t chunk, int64_t *begin, int64_t *end);

/* Where this rank's own columns of its chunk lie, where the others' have arrived, where results for them are put. */
triad_cplx *triad_gpu_exchange_own(const triad_gpu_exchange *x, int64_t chunk);
triad_cplx *triad_gpu_exchange_arrived(const triad_gpu_exchange *x, int64_t chunk);
triad_cplx *triad_gpu_exchange_leaving(const triad_gpu_exchange *x, int64_t chunk);

/* In this order, from one thread: begin, when the inputs are being made on `stream`; for each chunk: wait (what is
 * launched on `stream` after it finds the chunk), then send (what was launched on `stream` before it is in the chunk's
 * slot); end (what is launched on `stream` after it finds all results). A failure here cannot be agreed on, since
 * others wait for messages: it prints its error and ends all ranks. */
void triad_gpu_exchange_begin(triad_gpu_exchange *x, void *stream);
void triad_gpu_exchange_wait(triad_gpu_exchange *x, int64_t chunk, void *stream);
void triad_gpu_exchange_send(triad_gpu_exchange *x, int64_t chunk, void *stream);
void triad_gpu_exchange_end(triad_gpu_exchange *x, void *stream);

/* With apart = 1 copies between device and host are waited for and timed one by one; the time of these since the last
 * call [s]. */
double triad_gpu_exchange_apart(triad_gpu_exchange *x, int apart);

int64_t triad_gpu_exchange_bytes(const triad_gpu_exchange *x); /* sent by this rank in one pass */

/* Device memory that create would take: work columns, and buffers of the exchange. Not collective. */
void triad_gpu_exchange_needs(const triad_layout *layout, int most_in, int most_out, int nstreams,
                              triad_gpu_chunks *chunks, int64_t *work_bytes, int64_t *buffer_bytes);

#endif
