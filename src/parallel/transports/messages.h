/* Repeated messages between GPUs: at a time one to each peer and one from it, directly from GPU memory to GPU memory.
 * A transport carries them (transport.c).
 *
 * One channel, for halos and other data that is sent and read:
 *   triad_gpu_messages_start(m, 0, 0, list, packed, read);   sent after the event `packed`
 *   ... launch other work ...
 *   triad_gpu_messages_finish(m, 1, stream);                 work launched on `stream` from here on sees all messages
 *   ... launch kernels that read them, and record `read` after them ...
 *   triad_gpu_messages_read(m, stream);                      peers may send again
 *
 * Two channels: each message of channel 0 is answered by one of channel 1 with the same sequence number, which is
 * received in the buffer of the first and confirms that it was read. They form a pipeline of depth `depth`:
 *   start(m, 0, 0 .. depth - 1); for each s: wait(m, 0, s, stream), left(m, 1, s - depth, stream), compute,
 *   start(m, 1, s), start(m, 0, s + depth); then finish(m, how many, stream)
 * If the answer to s is needed before the end: answered(m, s, stream).
 *
 * Calls are made in the same order on all ranks, from the thread that called MPI_Init_thread. Ranks cannot agree on a
 * failure, since others wait: it prints its error and ends all ranks. The host waits for MPI messages only. Two ranks
 * may share a GPU, except with NCCL. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_MESSAGES_H
#define TRIAD_PARALLEL_TRANSPORTS_MESSAGES_H

#include "parallel/context.h"
#include "parallel/cuda.h"
#include "parallel/device.h"

/* The transport of messages between GPUs: the key parallel.transport, or chosen from what is available. */
typedef enum triad_transport {
  TRIAD_TRANSPORT_NCCL,
  TRIAD_TRANSPORT_IPC,      /* copies into the peer's memory, within a node */
  TRIAD_TRANSPORT_PUT,      /* a kernel's stores into it */
  TRIAD_TRANSPORT_STAGED,   /* through pinned host memory and MPI */
  TRIAD_TRANSPORT_CUDA_MPI, /* MPI that accepts GPU memory */
  TRIAD_TRANSPORTS
} triad_transport;

/* The word of the case for a transport. */
const char *triad_transport_name(triad_transport transport);

typedef struct triad_gpu_messages triad_gpu_messages;

/* The messages to and from one peer; 0 bytes: none in that direction. */
typedef struct triad_gpu_message {
  const void *send; /* in this GPU's memory */
  void *receive;
  int64_t send_bytes, receive_bytes;
  int64_t there; /* offset in the peer's window at which it is received [bytes] */
} triad_gpu_message;

enum { TRIAD_GPU_CHANNELS = 2 };

typedef struct triad_gpu_messages_shape {
  /* [n_peers], symmetric; in the order rank + 1, rank + 2, .. so that ranks do not all start with the same peer */
  const int *peer;
  int n_peers, channels, depth;
  int64_t send_bytes[TRIAD_GPU_CHANNELS],
    receive_bytes[TRIAD_GPU_CHANNELS]; /* maximum, over all peers for one sequence number */
  char *window;                        /* the device memory (one triad_device_alloc) that peers write to */
  int64_t flags; /* offset of triad_gpu_messages_flags_bytes() in it, zeroed and aligned to 256 bytes */
} triad_gpu_messages_shape;

int64_t triad_gpu_messages_flags_bytes(int ranks);

/* word: parallel.transport. TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE if it is not available. Collective; agreed. */
int triad_gpu_messages_create(triad_gpu_messages **out, triad_context *context, const triad_device *device,
                              const char *word, const triad_gpu_messages_shape *shape);
void triad_gpu_messages_destroy(triad_gpu_messages **messages); /* collective; waits for the device first */

triad_transport triad_gpu_messages_transport(const triad_gpu_messages *m);

/* Start the messages list[n_peers], in the order of peers; list need not outlive the call. Data is sent after the
 * event `ready` (NULL: an earlier start of this round waited for the same event). The slot of this sequence number is
 * overwritten after the event `read` (NULL: it has not been used). */
void triad_gpu_messages_start(triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                              cudaEvent_t ready, cudaEvent_t read);

/* wait: work launched on `stream` from here on sees the messages of channel 0 (two channels). left: it may overwrite
 * what channel 1 sent. (finish: it sees all messages started, numbers 0 .. n - 1, and may overwrite all that was
 * sent.) */
void triad_gpu_messages_wait(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
void triad_gpu_messages_left(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);

/* Two channels: work launched on `stream` from here on sees the messages of channel 1. Once per number. */
void triad_gpu_messages_answered(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);

/* The first: while the host waits for these messages, also make progress on `others`, since the ranks that it waits for
 * may wait for those. NULL: none. For finish see above. */
void triad_gpu_messages_beside(triad_gpu_messages *m, triad_gpu_messages *others);
void triad_gpu_messages_finish(triad_gpu_messages *m, int64_t n, cudaStream_t stream);

/* One channel: work launched on `stream` before has read the messages. */
void triad_gpu_messages_read(triad_gpu_messages *m, cudaStream_t stream);

/* With apart = 1 copies between device and host are waited for and timed one by one; returns their time since the last
 * call [s]. */
double triad_gpu_messages_apart(triad_gpu_messages *m, int apart);

#endif
