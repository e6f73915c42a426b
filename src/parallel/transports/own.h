/* What the transports' files share: the messages, and what a transport does. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_OWN_H
#define TRIAD_PARALLEL_TRANSPORTS_OWN_H

#include "parallel/transports/messages.h"

/* The functions of messages.h with the transport's own part. */
typedef struct triad_transport_way {
  /* Make (*self); each rank keeps its status, and the caller agrees. Collective. */
  int (*create)(void **self, triad_gpu_messages *m);
  void (*destroy)(void **self, triad_gpu_messages *m);
  void (*start)(void *self, triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                cudaEvent_t ready, cudaEvent_t read);
  void (*wait)(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
  void (*left)(void *self, triad_gpu_messages *m, int64_t sequence,
               cudaStream_t stream); /* NULL: nothing to wait for */
  void (*answered)(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
  void (*finish)(void *self, triad_gpu_messages *m, int64_t n, cudaStream_t stream);
  void (*read)(void *self, triad_gpu_messages *m, cudaStream_t stream); /* NULL: nobody to tell */
  void (*advance)(void *self, triad_gpu_messages *m);                   /* NULL: messages move by themselves */
} triad_transport_way;

struct triad_gpu_messages {
  triad_context *context;
  triad_gpu_messages_shape shape; /* with a copy of the peers of its own */
  int *peer;
  triad_transport transport;
  const triad_transport_way *way;
  void *self;
  triad_gpu_messages *beside; /* others, which move on while the host waits for these */
  int apart;                  /* time copies between device and host one by one: */
  double copies_s;
};

/* Messages of two channels pass in turn, so that a pipeline's pieces come in their order; with one channel each peer is
 * served by itself: groups of peers that are served together, and the first peer of each. */
static inline int triad_gpu_messages_groups(const triad_gpu_messages *m)
{
  return m->shape.channels == 2 ? 1 : m->shape.n_peers;
}
static inline int triad_gpu_messages_group(const triad_gpu_messages *m, int g)
{
  return m->shape.channels == 2 ? g * m->shape.n_peers : g;
}

/* Others wait for this: there is no way back. */
static inline void triad_gpu_messages_must(const triad_gpu_messages *m, int status)
{
  triad_must(&m->context->comm, status);
}

extern const triad_transport_way triad_transport_nccl, triad_transport_ipc, triad_transport_put, triad_transport_staged,
  triad_transport_cuda_mpi;

#endif
