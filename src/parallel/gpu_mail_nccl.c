/* Mail between GPUs by NCCL: all messages of an exchange are one group on a stream of their own. One rank a GPU. */
#include "parallel/gpu_mail_own.h"

#ifdef TRIAD_NCCL

#include <nccl.h>
#include <stdlib.h>

typedef struct nccl {
  ncclComm_t comm;
  cudaStream_t stream;
  cudaEvent_t arrived;
} nccl;

static int check(ncclResult_t result, const char *call, const char *file, int line)
{
  if (result == ncclSuccess) return TRIAD_OK;
  triad_note(file, line, "%s: %s; %s", call, ncclGetErrorString(result), ncclGetLastError(NULL));
  return TRIAD_ERR_INTERNAL;
}
#define NCCL(call) check((call), #call, __FILE__, __LINE__)

static int make(nccl *n)
{
  int least, greatest;
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&n->stream, cudaStreamNonBlocking, greatest)));
  return TRIAD_CU(cudaEventCreateWithFlags(&n->arrived, cudaEventDisableTiming));
}

static int create(void **self, triad_gpu_mail *m)
{
  const triad_comm *comm = &m->context->comm;
  ncclUniqueId id = {{0}};
  nccl *n = *self = calloc(1, sizeof *n);
  int st = n ? make(n) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "NCCL's stream");
  /* multicast serves reductions, which are not used here, and its set-up can disturb a machine that others share */
  (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
  if (st == TRIAD_OK && comm->rank == 0) st = NCCL(ncclGetUniqueId(&id));
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_agree(comm, TRIAD_MPI(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, comm->mpi))));
  return NCCL(ncclCommInitRank(&n->comm, comm->size, id, comm->rank));
}

static void destroy(void **self, triad_gpu_mail *m)
{
  nccl *n = *self;
  (void)m;
  if (!n) return;
  if (n->comm) (void)ncclCommDestroy(n->comm);
  if (n->arrived) (void)cudaEventDestroy(n->arrived);
  if (n->stream) (void)cudaStreamDestroy(n->stream);
  free(n);
  *self = NULL;
}

static void begin(void *self, triad_gpu_mail *m)
{
  nccl *n = self;
  triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(n->stream, m->packed, 0)));
  triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(n->stream, m->read, 0)));
  triad_gpu_mail_must(m, NCCL(ncclGroupStart()));
  for (int i = 0; i < m->n_letters; i++) {
    size_t bytes = triad_gpu_letter_bytes(m, i);
    int64_t at = triad_gpu_letter_at(m, i);
    triad_gpu_mail_must(m, NCCL(ncclSend(m->leaving + at, bytes, ncclChar, m->letter[i].peer, n->comm, n->stream)));
    triad_gpu_mail_must(m, NCCL(ncclRecv(m->arrived + at, bytes, ncclChar, m->letter[i].peer, n->comm, n->stream)));
  }
  triad_gpu_mail_must(m, NCCL(ncclGroupEnd()));
  triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(n->arrived, n->stream)));
}

static void end(void *self, triad_gpu_mail *m, cudaStream_t stream)
{
  nccl *n = self;
  ncclResult_t late = ncclSuccess;
  triad_gpu_mail_must(m, NCCL(ncclCommGetAsyncError(n->comm, &late)));
  triad_gpu_mail_must(m, NCCL(late));
  triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, n->arrived, 0)));
}

const triad_gpu_mail_way triad_gpu_mail_nccl = {create, destroy, begin, end, NULL};

#else

/* never chosen */
const triad_gpu_mail_way triad_gpu_mail_nccl = {NULL, NULL, NULL, NULL, NULL};

#endif
