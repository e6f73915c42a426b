/* Mail between GPUs of a node by CUDA IPC: every rank maps the others' buffers of what arrives and copies straight into them,
 * by the copy engines, on a stream a peer. Behind each copy it counts up a counter at the peer, which the peer's stream waits
 * for: no kernel spins, and no rank's host waits for another's. Two ranks may share a GPU.
 *
 * Counters of a rank, 4 bytes each, behind what arrives: sent[peer], exchanges whose message has come from it; read[peer],
 * exchanges that it has read of this rank's. Counts go on from exchange to exchange. */
#include "parallel/gpu_mail_own.h"

#include <cuda.h>
#include <stdlib.h>

typedef CUresult stream_value(CUstream, CUdeviceptr, cuuint32_t, unsigned int);

/* What a rank tells all others of its buffer. */
typedef struct place {
  cudaIpcMemHandle_t handle;
  int64_t counters; /* bytes from its start */
} place;

typedef struct ipc {
  char **there;         /* [letter] the peer's buffer as seen from here                         */
  int64_t *at;          /* [letter] where a unit's message from this rank begins there           */
  int64_t *counters;    /* [letter] where counters begin there                                   */
  cudaStream_t *stream; /* [letter] */
  cudaEvent_t *left;    /* [letter] the message has left its buffer                              */
  stream_value *wait, *write;
  uint32_t done;        /* exchanges */
} ipc;

enum { SENT, READ };

static int driver_call(const char *name, stream_value **out)
{
  enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  void *pointer = NULL;
#if CUDART_VERSION >= 12050
  TRIAD_TRY(TRIAD_CU(cudaGetDriverEntryPointByVersion(name, &pointer, 12000, cudaEnableDefault, &found)));
#else
  TRIAD_TRY(TRIAD_CU(cudaGetDriverEntryPoint(name, &pointer, cudaEnableDefault, &found)));
#endif
  *out = (stream_value *)pointer;
  if (found == cudaDriverEntryPointSuccess && pointer) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"ipc\": this driver has no %s; take \"staged\"", name);
}

static int make(ipc *p, const triad_gpu_mail *m)
{
  size_t n = (size_t)m->n_letters + 1;
  int least, greatest;
  p->there = calloc(n, sizeof *p->there);
  p->at = calloc(n, sizeof *p->at);
  p->counters = calloc(n, sizeof *p->counters);
  p->stream = calloc(n, sizeof *p->stream);
  p->left = calloc(n, sizeof *p->left);
  if (!p->there || !p->at || !p->counters || !p->stream || !p->left)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "streams of %d peers", m->n_letters);
  TRIAD_TRY(driver_call("cuStreamWaitValue32", &p->wait));
  TRIAD_TRY(driver_call("cuStreamWriteValue32", &p->write));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  for (int i = 0; i < m->n_letters; i++) {
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->stream[i], cudaStreamNonBlocking, greatest)));
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->left[i], cudaEventDisableTiming)));
  }
  return TRIAD_OK;
}

/* Where each peer wants this rank's message: peers tell each other alone. */
static int tell_places(ipc *p, const triad_gpu_mail *m)
{
  const triad_comm *comm = &m->context->comm;
  enum { TAG = 28 };
  MPI_Request *request = calloc(2 * (size_t)m->n_letters + 1, sizeof *request);
  if (!request) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "requests of %d peers", m->n_letters);
  int st = TRIAD_OK;
  for (int i = 0; i < m->n_letters && st == TRIAD_OK; i++) {
    int peer = m->letter[i].peer;
    st = TRIAD_MPI(MPI_Irecv(&p->at[i], 1, MPI_INT64_T, peer, TAG, comm->mpi, &request[2 * i]));
    if (st == TRIAD_OK)
      st = TRIAD_MPI(MPI_Isend(&m->letter[i].at, 1, MPI_INT64_T, peer, TAG, comm->mpi, &request[2 * i + 1]));
  }
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Waitall(2 * m->n_letters, request, MPI_STATUSES_IGNORE));
  free(request);
  return st;
}

static int map_buffers(ipc *p, const triad_gpu_mail *m, const place *all)
{
  for (int i = 0; i < m->n_letters; i++) {
    int r = m->letter[i].peer;
    p->counters[i] = all[r].counters;
    cudaError_t error = cudaIpcOpenMemHandle((void **)&p->there[i], all[r].handle, cudaIpcMemLazyEnablePeerAccess);
    if (error == cudaSuccess) continue;
    p->there[i] = NULL;
    (void)cudaGetLastError();
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"ipc\": the GPU memory of rank %d cannot be mapped (%s); "
                                         "take \"nccl\" or \"staged\"", r, cudaGetErrorString(error));
  }
  return TRIAD_OK;
}

static int create(void **self, triad_gpu_mail *m)
{
  const triad_comm *comm = &m->context->comm;
  place mine = {.counters = m->bytes}, *all = calloc((size_t)comm->size, sizeof *all);
  ipc *p = *self = calloc(1, sizeof *p);
  int st = p && all ? make(p, m) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "IPC handles");
  if (st == TRIAD_OK) st = TRIAD_CU(cudaIpcGetMemHandle(&mine.handle, m->arrived));
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE,
                                                   comm->mpi)));
  if (st == TRIAD_OK) st = triad_agree(comm, tell_places(p, m));
  if (st == TRIAD_OK) st = map_buffers(p, m, all);
  free(all);
  return st;
}

static void destroy(void **self, triad_gpu_mail *m)
{
  ipc *p = *self;
  if (!p) return;
  for (int i = 0; p->there && i < m->n_letters; i++)
    if (p->there[i]) (void)cudaIpcCloseMemHandle(p->there[i]);
  for (int i = 0; p->stream && i < m->n_letters; i++)
    if (p->stream[i]) (void)cudaStreamDestroy(p->stream[i]);
  for (int i = 0; p->left && i < m->n_letters; i++)
    if (p->left[i]) (void)cudaEventDestroy(p->left[i]);
  free(p->there);
  free(p->at);
  free(p->counters);
  free(p->stream);
  free(p->left);
  free(p);
  *self = NULL;
}

static int driver_check(CUresult result, const char *what)
{
  if (result == CUDA_SUCCESS) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: CUDA driver error %d", what, (int)result);
}

/* At the peer of letter i, count this rank's `which` up to value. */
static void count_up(const ipc *p, const triad_gpu_mail *m, int i, int which, uint32_t value, cudaStream_t stream)
{
  const triad_comm *comm = &m->context->comm;
  char *at = p->there[i] + p->counters[i] + sizeof(uint32_t) * (size_t)(which * comm->size + comm->rank);
  triad_gpu_mail_must(m, driver_check(p->write((CUstream)stream, (CUdeviceptr)at, value, CU_STREAM_WRITE_VALUE_DEFAULT),
                                      "cuStreamWriteValue32"));
}

/* Until the peer of letter i has counted `which` up to value here. */
static void wait_for(const ipc *p, const triad_gpu_mail *m, int i, int which, uint32_t value, cudaStream_t stream)
{
  char *at = m->arrived + m->bytes + sizeof(uint32_t) * (size_t)(which * m->context->comm.size + m->letter[i].peer);
  triad_gpu_mail_must(m, driver_check(p->wait((CUstream)stream, (CUdeviceptr)at, value, CU_STREAM_WAIT_VALUE_GEQ),
                                      "cuStreamWaitValue32"));
}

static void begin(void *self, triad_gpu_mail *m)
{
  ipc *p = self;
  for (int i = 0; i < m->n_letters; i++) {
    triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(p->stream[i], m->packed, 0)));
    wait_for(p, m, i, READ, p->done, p->stream[i]);
    triad_gpu_mail_must(m, TRIAD_CU(cudaMemcpyAsync(p->there[i] + p->at[i] * m->units, m->leaving + triad_gpu_letter_at(m, i),
                                                    triad_gpu_letter_bytes(m, i), cudaMemcpyDeviceToDevice, p->stream[i])));
    count_up(p, m, i, SENT, p->done + 1, p->stream[i]);
    triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(p->left[i], p->stream[i])));
  }
}

static void end(void *self, triad_gpu_mail *m, cudaStream_t stream)
{
  ipc *p = self;
  for (int i = 0; i < m->n_letters; i++) {
    wait_for(p, m, i, SENT, p->done + 1, stream);
    triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, p->left[i], 0)));
  }
}

static void read_all(void *self, triad_gpu_mail *m, cudaStream_t stream)
{
  ipc *p = self;
  p->done++;
  for (int i = 0; i < m->n_letters; i++) count_up(p, m, i, READ, p->done, stream);
}

const triad_gpu_mail_way triad_gpu_mail_ipc = {create, destroy, begin, end, read_all};
