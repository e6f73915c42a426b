/* Internal to the transports: the messages, and the functions of a transport. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_INTERNAL_H
#define TRIAD_PARALLEL_TRANSPORTS_TRANSPORT_INTERNAL_H

#include "parallel/transports/messages.h"

/* The functions of messages.h, implemented by a transport. */
typedef struct triad_transport_way {
  /* Create *self. Each rank returns its own status, on which the caller agrees. Collective. */
  int (*create)(void **self, triad_gpu_messages *m);
  void (*destroy)(void **self, triad_gpu_messages *m);
  void (*start)(void *self, triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                cudaEvent_t ready, cudaEvent_t read);
  void (*wait)(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
  void (*left)(void *self, triad_gpu_messages *m, int64_t sequence,
               cudaStream_t stream); /* NULL: nothing to wait for */
  void (*answered)(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream);
  void (*finish)(void *self, triad_gpu_messages *m, int64_t n, cudaStream_t stream);
  void (*read)(void *self, triad_gpu_messages *m, cudaStream_t stream); /* NULL: no notification needed */
  void (*advance)(void *self, triad_gpu_messages *m);                   /* NULL: messages make progress by themselves */
} triad_transport_way;

struct triad_gpu_messages {
  triad_context *context;
  triad_gpu_messages_shape shape; /* with its own copy of `peer` */
  int *peer;
  triad_transport transport;
  const triad_transport_way *way;
  void *self;
  triad_gpu_messages *beside; /* other messages, on which the host makes progress while it waits for these */
  int apart;                  /* 1: time copies between device and host one by one */
  double copies_s;
};

/* Groups of peers that are served together, and the first peer of each. Messages of two channels form a pipeline and
 * keep their order in one group; with one channel each peer is a group. */
static inline int triad_gpu_messages_groups(const triad_gpu_messages *m)
{
  return m->shape.channels == 2 ? 1 : m->shape.n_peers;
}
static inline int triad_gpu_messages_group(const triad_gpu_messages *m, int g)
{
  return m->shape.channels == 2 ? g * m->shape.n_peers : g;
}

/* End all ranks after a failure: other ranks wait for this one. */
static inline void triad_gpu_messages_must(const triad_gpu_messages *m, int status)
{
  triad_must(&m->context->comm, status);
}

extern const triad_transport_way triad_transport_nccl, triad_transport_ipc, triad_transport_put, triad_transport_staged,
  triad_transport_cuda_mpi;

#endif
