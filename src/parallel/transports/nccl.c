/* Messages between GPUs by NCCL: all sends and receives with one sequence number are a group, and groups are executed
 * in order on a separate stream. One rank per GPU. */
#include "parallel/transports/transport_internal.h"

#ifdef TRIAD_NCCL

#include <nccl.h>
#include <stdlib.h>

typedef struct nccl {
  ncclComm_t comm;
  cudaStream_t stream;
  cudaEvent_t *arrived, all; /* [channel][depth] messages of two channels; everything */
} nccl;

static int check(ncclResult_t result, const char *call, const char *file, int line)
{
  if (result == ncclSuccess) return TRIAD_OK;
  triad_note(file, line, TRIAD_ERR_INTERNAL, "%s: %s; %s", call, ncclGetErrorString(result), ncclGetLastError(NULL));
  return TRIAD_ERR_INTERNAL;
}
#define NCCL(call) check((call), #call, __FILE__, __LINE__)

static int create_communicator(nccl *n, const triad_gpu_messages *m)
{
  int least, greatest;
  n->arrived = calloc(TRIAD_GPU_CHANNELS * (size_t)m->shape.depth, sizeof *n->arrived);
  if (!n->arrived) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", m->shape.depth);
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&n->stream, cudaStreamNonBlocking, greatest)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&n->all, cudaEventDisableTiming)));
  for (int i = 0; i < TRIAD_GPU_CHANNELS * m->shape.depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&n->arrived[i], cudaEventDisableTiming)));
  return TRIAD_OK;
}

static int create(void **self, triad_gpu_messages *m)
{
  const triad_comm *comm = &m->context->comm;
  ncclUniqueId id = {{0}};
  nccl *n = *self = calloc(1, sizeof *n);
  int st = n ? create_communicator(n, m) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "NCCL's stream");
  /* multicast serves reductions, which are not used here, and its set-up can disturb a machine that others share */
  (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
  if (st == TRIAD_OK && comm->rank == 0) st = NCCL(ncclGetUniqueId(&id));
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, comm->mpi))));
  return NCCL(ncclCommInitRank(&n->comm, comm->size, id, comm->rank));
}

static void destroy(void **self, triad_gpu_messages *m)
{
  nccl *n = *self;
  if (!n) return;
  if (n->comm) (void)ncclCommDestroy(n->comm);
  for (int i = 0; n->arrived && i < TRIAD_GPU_CHANNELS * m->shape.depth; i++)
    if (n->arrived[i]) (void)cudaEventDestroy(n->arrived[i]);
  if (n->all) (void)cudaEventDestroy(n->all);
  if (n->stream) (void)cudaStreamDestroy(n->stream);
  free(n->arrived);
  free(n);
  *self = NULL;
}

static cudaEvent_t *arrived_at(const nccl *n, const triad_gpu_messages *m, int channel, int64_t sequence)
{
  return &n->arrived[channel * m->shape.depth + sequence % m->shape.depth];
}

static void start(void *self, triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                  cudaEvent_t ready, cudaEvent_t read)
{
  nccl *n = self;
  int pipeline = m->shape.channels == 2;
  if (ready) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(n->stream, ready, 0)));
  /* of two channels the answer from the same slot comes earlier on this stream, and has waited for what made it */
  if (read && !pipeline) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(n->stream, read, 0)));
  triad_gpu_messages_must(m, NCCL(ncclGroupStart()));
  /* bytes, since a count of size_t holds any message */
  for (int i = 0; i < m->shape.n_peers; i++) {
    const triad_gpu_message *l = &list[i];
    int peer = m->shape.peer[i];
    if (l->send_bytes > 0)
      triad_gpu_messages_must(m, NCCL(ncclSend(l->send, (size_t)l->send_bytes, ncclChar, peer, n->comm, n->stream)));
    if (l->receive_bytes > 0)
      triad_gpu_messages_must(m,
                              NCCL(ncclRecv(l->receive, (size_t)l->receive_bytes, ncclChar, peer, n->comm, n->stream)));
  }
  triad_gpu_messages_must(m, NCCL(ncclGroupEnd()));
  if (pipeline) triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(*arrived_at(n, m, channel, sequence), n->stream)));
}

static void wait(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, *arrived_at(self, m, 0, sequence), 0)));
}

static void answered(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, *arrived_at(self, m, 1, sequence), 0)));
}

/* A group whose messages have arrived has sent its own: nothing waits for less (left). */
static void finish(void *self, triad_gpu_messages *m, int64_t unused, cudaStream_t stream)
{
  nccl *n = self;
  ncclResult_t late = ncclSuccess;
  (void)unused;
  triad_gpu_messages_must(m, NCCL(ncclCommGetAsyncError(n->comm, &late)));
  triad_gpu_messages_must(m, NCCL(late));
  triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(n->all, n->stream)));
  triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, n->all, 0)));
}

const triad_transport_way triad_transport_nccl = {create, destroy, start, wait, NULL, answered, finish, NULL, NULL};

#else

/* never chosen */
const triad_transport_way triad_transport_nccl = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};

#endif
