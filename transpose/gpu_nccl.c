/* Messages between GPUs by NCCL: all sends and receives of a chunk are one group, groups follow each other on a stream
 * of their own. One rank a GPU. */
#include "transpose/gpu_transport.h"

#ifdef TRIAD_NCCL

#include <nccl.h>
#include <stdlib.h>

typedef struct nccl {
  ncclComm_t comm;
  cudaStream_t stream;
  cudaEvent_t *arrived, back; /* [depth]; all results are there */
} nccl;

static int check(ncclResult_t result, const char *call, const char *file, int line)
{
  if (result == ncclSuccess) return TRIAD_OK;
  triad_note(file, line, "%s: %s; %s", call, ncclGetErrorString(result), ncclGetLastError(NULL));
  return TRIAD_ERR_INTERNAL;
}
#define NCCL(call) check((call), #call, __FILE__, __LINE__)

static int make(nccl *n, triad_gpu_exchange *x)
{
  int least, greatest;
  n->arrived = calloc((size_t)x->chunks.depth, sizeof(cudaEvent_t));
  if (!n->arrived) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", x->chunks.depth);
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&n->stream, cudaStreamNonBlocking, greatest)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&n->back, cudaEventDisableTiming)));
  for (int i = 0; i < x->chunks.depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&n->arrived[i], cudaEventDisableTiming)));
  return TRIAD_OK;
}

static int create(void **self, triad_gpu_exchange *x)
{
  const triad_comm *comm = &x->context->comm;
  ncclUniqueId id = {{0}};
  nccl *n = *self = calloc(1, sizeof *n);
  int st = n ? make(n, x) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "NCCL's streams");
  /* multicast serves reductions, which are not used here, and its set-up can disturb a machine that others share */
  (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
  if (st == TRIAD_OK && comm->rank == 0) st = NCCL(ncclGetUniqueId(&id));
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, comm->mpi))));
  return NCCL(ncclCommInitRank(&n->comm, comm->size, id, comm->rank));
}

static void destroy(void **self, triad_gpu_exchange *x)
{
  nccl *n = *self;
  if (!n) return;
  if (n->comm) (void)ncclCommDestroy(n->comm);
  for (int i = 0; n->arrived && i < x->chunks.depth; i++)
    if (n->arrived[i]) (void)cudaEventDestroy(n->arrived[i]);
  if (n->back) (void)cudaEventDestroy(n->back);
  if (n->stream) (void)cudaStreamDestroy(n->stream);
  free(n->arrived);
  free(n);
  *self = NULL;
}

/* Bytes, since both precisions share the code and a count of size_t holds any message. */
static int send(const nccl *n, const triad_cplx *from, int64_t count, int peer)
{
  return count > 0 ? NCCL(ncclSend(from, (size_t)count * sizeof *from, ncclChar, peer, n->comm, n->stream)) : TRIAD_OK;
}

static int receive(const nccl *n, triad_cplx *to, int64_t count, int peer)
{
  return count > 0 ? NCCL(ncclRecv(to, (size_t)count * sizeof *to, ncclChar, peer, n->comm, n->stream)) : TRIAD_OK;
}

static void start_in(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  nccl *n = self;
  const triad_layout *l = x->layout;
  triad_cplx *work = triad_gpu_exchange_work(x);
  /* later chunks follow start_out of the chunk that had the slot, on the same stream */
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(n->stream, x->ready, 0)));
  triad_gpu_must(x, NCCL(ncclGroupStart()));
  for (int step = 1; step < l->size; step++) {
    int r = triad_gpu_peer(x, step);
    triad_gpu_must(x, send(n, work + triad_gpu_work_place(x, l->rank, r, chunk),
                           triad_gpu_part_size(x, l->rank, r, chunk, x->n_in), r));
    triad_gpu_must(x, receive(n, work + triad_gpu_arrived_place(x, r, l->rank, chunk),
                              triad_gpu_part_size(x, r, l->rank, chunk, x->n_in), r));
  }
  triad_gpu_must(x, NCCL(ncclGroupEnd()));
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(n->arrived[chunk % x->chunks.depth], n->stream)));
}

static void wait_in(void *self, triad_gpu_exchange *x, int64_t chunk, cudaStream_t stream)
{
  nccl *n = self;
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, n->arrived[chunk % x->chunks.depth], 0)));
}

static void start_out(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  nccl *n = self;
  const triad_layout *l = x->layout;
  triad_cplx *work = triad_gpu_exchange_work(x), *leaving = triad_gpu_exchange_leaving(x, chunk);
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(n->stream, x->done[chunk % x->chunks.depth], 0)));
  triad_gpu_must(x, NCCL(ncclGroupStart()));
  for (int step = 1; step < l->size; step++) {
    int r = triad_gpu_peer(x, step);
    triad_gpu_must(x, send(n, leaving + triad_gpu_part(l, l->rank, r) * x->chunks.planes * x->slots,
                           triad_gpu_part_size(x, r, l->rank, chunk, x->n_back), r));
    triad_gpu_must(x, receive(n, work + triad_gpu_work_place(x, l->rank, r, chunk),
                              triad_gpu_part_size(x, l->rank, r, chunk, x->n_back), r));
  }
  triad_gpu_must(x, NCCL(ncclGroupEnd()));
}

static void finish(void *self, triad_gpu_exchange *x, cudaStream_t stream)
{
  nccl *n = self;
  ncclResult_t late = ncclSuccess;
  triad_gpu_must(x, NCCL(ncclCommGetAsyncError(n->comm, &late)));
  triad_gpu_must(x, NCCL(late));
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(n->back, n->stream)));
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, n->back, 0)));
}

const triad_gpu_transport triad_gpu_nccl = {"nccl", create, destroy, start_in, wait_in, start_out, finish};

#else

static int create(void **self, triad_gpu_exchange *x)
{
  (void)self;
  (void)x;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"nccl\": this build has no NCCL; take \"ipc\" or \"staged\"");
}

const triad_gpu_transport triad_gpu_nccl = {.name = "nccl", .create = create};

#endif
