/* Choose the transport of a list of messages between GPUs and pass each call on to it. */
#include "parallel/transports/transport_internal.h"
#include "parallel/transports/transport.h"

#include <stdlib.h>
#include <string.h>

int64_t triad_gpu_messages_flags_bytes(int ranks) { return TRIAD_GPU_CHANNELS * (int64_t)sizeof(uint32_t) * ranks; }

/* put is for pipelines; there it is what auto takes within a node, as the transports came out where they were timed
 * (docs/reference/gpu-support.md). A flow times them itself (solvers/spectral/step/gpu_fastest.c). */
static int choose(triad_gpu_messages *m, const char *word, const triad_device *device)
{
  static const triad_transport_way *const ways[TRIAD_TRANSPORTS] = {[TRIAD_TRANSPORT_NCCL] = &triad_transport_nccl,
                                                                    [TRIAD_TRANSPORT_IPC] = &triad_transport_ipc,
                                                                    [TRIAD_TRANSPORT_PUT] = &triad_transport_put,
                                                                    [TRIAD_TRANSPORT_STAGED] = &triad_transport_staged,
                                                                    [TRIAD_TRANSPORT_CUDA_MPI] =
                                                                      &triad_transport_cuda_mpi};
  triad_transport transport;
  TRIAD_TRY(triad_transport_choose(&transport, word, m->context, device));
  if (m->shape.channels == 2 && transport == TRIAD_TRANSPORT_IPC && strcmp(word, "auto") == 0)
    transport = TRIAD_TRANSPORT_PUT;
  if (m->shape.channels == 1 && transport == TRIAD_TRANSPORT_PUT)
    return triad_agree(&m->context->comm, TRIAD_FAIL(TRIAD_ERR_FEATURE,
                                                     "parallel.transport = \"%s\" supports only spectral transforms "
                                                     "and conjugate gradients: use \"ipc\" or \"auto\"",
                                                     word));
  m->transport = transport;
  m->way = ways[transport];
  return TRIAD_OK;
}

int triad_gpu_messages_create(triad_gpu_messages **out, triad_context *context, const triad_device *device,
                              const char *word, const triad_gpu_messages_shape *shape)
{
  triad_gpu_messages *m = *out = calloc(1, sizeof *m);
  int *peer = calloc((size_t)shape->n_peers + 1, sizeof *peer);
  if (m && peer) {
    if (shape->n_peers > 0) memcpy(peer, shape->peer, (size_t)shape->n_peers * sizeof *peer);
    *m = (triad_gpu_messages){.context = context, .shape = *shape, .peer = peer};
    m->shape.peer = peer;
  } else {
    free(peer);
  }
  int st = triad_agree(&context->comm, m && peer ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages between GPUs"));
  if (st == TRIAD_OK) st = choose(m, word, device);
  if (st == TRIAD_OK) st = triad_agree(&context->comm, m->way->create(&m->self, m));
  if (st != TRIAD_OK) triad_gpu_messages_destroy(out);
  return st;
}

void triad_gpu_messages_destroy(triad_gpu_messages **messages)
{
  triad_gpu_messages *m = messages ? *messages : NULL;
  if (!m) return;
  if (m->way) {
    /* no peer may still read or write here when memory goes */
    (void)cudaDeviceSynchronize();
    (void)MPI_Barrier(m->context->comm.mpi);
    m->way->destroy(&m->self, m);
    (void)MPI_Barrier(m->context->comm.mpi);
  }
  free(m->peer);
  free(m);
  *messages = NULL;
}

triad_transport triad_gpu_messages_transport(const triad_gpu_messages *m) { return m->transport; }

void triad_gpu_messages_start(triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                              cudaEvent_t ready, cudaEvent_t read)
{
  m->way->start(m->self, m, channel, sequence, list, ready, read);
}

void triad_gpu_messages_wait(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  m->way->wait(m->self, m, sequence, stream);
}

void triad_gpu_messages_left(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  if (m->way->left) m->way->left(m->self, m, sequence, stream);
}

void triad_gpu_messages_answered(triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  m->way->answered(m->self, m, sequence, stream);
}

void triad_gpu_messages_beside(triad_gpu_messages *m, triad_gpu_messages *others) { m->beside = others; }

void triad_gpu_messages_finish(triad_gpu_messages *m, int64_t n, cudaStream_t stream)
{
  m->way->finish(m->self, m, n, stream);
}

void triad_gpu_messages_read(triad_gpu_messages *m, cudaStream_t stream)
{
  if (m->way->read) m->way->read(m->self, m, stream);
}

double triad_gpu_messages_apart(triad_gpu_messages *m, int apart)
{
  double copies = m->copies_s;
  m->apart = apart;
  m->copies_s = 0;
  return copies;
}
