/* Messages between GPUs that go out again and again: one to each peer and one from it at a time, straight out of one
 * GPU's memory into another's. What carries them is a transport (transport.c).
 *
 * One channel: halos, and whatever else is sent and read.
 *   triad_gpu_messages_start(m, 0, 0, list, packed, read);   sent as soon as `packed` has happened
 *   ... launch other work ...
 *   triad_gpu_messages_finish(m, 1, stream);                 what is launched on `stream` from here on finds all of
 * them
 *   ... launch what reads them, record `read` behind it ...
 *   triad_gpu_messages_read(m, stream);                      peers may send again
 *
 * Two channels: each message of channel 0 is answered by one of channel 1 with the same sequence number, which comes
 * back to where the first was sent from and says that it has been read. They are a pipeline, `depth` of them under way:
 *   start(m, 0, 0 .. depth - 1); for each s: wait(m, 0, s, stream), left(m, 1, s - depth, stream), compute,
 *   start(m, 1, s), start(m, 0, s + depth); then finish(m, how many, stream)
 * Who needs the answer to s before the end asks for it: answered(m, s, stream).
 *
 * Calls come in the same order on all ranks, from the thread that called MPI_Init_thread. None of them can be agreed
 * on, since others wait: a failure prints its error and ends all ranks. The host waits for MPI messages only. Two ranks
 * may share a GPU, but for NCCL. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_MESSAGES_H
#define TRIAD_PARALLEL_TRANSPORTS_MESSAGES_H

#include "parallel/context.h"
#include "parallel/cuda.h"
#include "parallel/device.h"

/* What carries messages between GPUs: the case's word parallel.transport, or by what is there. */
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

/* May a kernel of a rank wait for those of all others? Each has a GPU of its own, whose memory the others reach.
 * Collective; agreed. */
int triad_transport_meets(int *meets, const triad_context *context, const triad_device *device);

/* Those that work between these ranks' devices, the words in names[TRIAD_TRANSPORTS]. Collective; agreed. */
int triad_transport_list(const triad_context *context, const triad_device *device, const char **names, int *n);

typedef struct triad_gpu_messages triad_gpu_messages;

/* To and from one peer; 0 bytes: none that way. */
typedef struct triad_gpu_message {
  const void *send; /* on this GPU */
  void *receive;
  int64_t send_bytes, receive_bytes;
  int64_t there; /* where it is received: bytes from the start of the peer's window */
} triad_gpu_message;

enum { TRIAD_GPU_CHANNELS = 2 };

typedef struct triad_gpu_messages_shape {
  const int *peer; /* [n_peers], on either side of a pair; rank + 1, rank + 2, ..: no rank is everybody's first */
  int n_peers, channels, depth;
  int64_t send_bytes[TRIAD_GPU_CHANNELS],
    receive_bytes[TRIAD_GPU_CHANNELS]; /* at most, of all peers under one sequence number */
  char *window;  /* the one piece of device memory (triad_device_alloc) that peers write into            */
  int64_t flags; /* where in it triad_gpu_messages_flags_bytes() begin, zeroed and aligned to 256 bytes      */
} triad_gpu_messages_shape;

int64_t triad_gpu_messages_flags_bytes(int ranks);

/* word: parallel.transport. TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE where it is not there. Collective; agreed. */
int triad_gpu_messages_create(triad_gpu_messages **out, triad_context *context, const triad_device *device,
                              const char *word, const triad_gpu_messages_shape *shape);
void triad_gpu_messages_destroy(triad_gpu_messages **messages); /* collective; waits for the device first */

triad_transport triad_gpu_messages_transport(const triad_gpu_messages *m);

/* list[n_peers], in the order of the peers; it need not outlive the call. What is sent is there once `ready` has
 * happened (NULL: an earlier start of this round has waited for the same), and what the slot of this sequence number
 * received earlier has been read once `read` has (NULL: nothing has). */
void triad_gpu_messages_start(triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                              cudaEvent_t ready, cudaEvent_t read);

/* What is launched on `stream` from here on finds the messages of channel 0 of two; may overwrite what channel 1 has
 * sent; finds all that were started, of numbers 0 .. n - 1, and may overwrite all that was sent. */
void triad_gpu_messages_wait(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
void triad_gpu_messages_left(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);

/* Of two channels: what is launched on `stream` from here on finds the messages of channel 1. Once for each number. */
void triad_gpu_messages_answered(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);

/* While the host waits for these messages it moves `others` on, too: of those, ranks may wait for it whom these wait
 * for. NULL: none. */
void triad_gpu_messages_beside(triad_gpu_messages *m, triad_gpu_messages *others);
void triad_gpu_messages_finish(triad_gpu_messages *m, int64_t n, cudaStream_t stream);

/* Of one channel: what was launched on `stream` before has read the messages. */
void triad_gpu_messages_read(triad_gpu_messages *m, cudaStream_t stream);

/* With apart = 1 copies between device and host are waited for and timed one by one; the time of these since the last
 * call [s]. */
double triad_gpu_messages_apart(triad_gpu_messages *m, int apart);

#endif
