/* Messages between GPUs of a node by CUDA IPC. Every rank maps the windows of its peers and writes directly to them,
 * with the copy engines (ipc) or with a kernel's stores (put, put.h). Each group of peers (transport_internal.h) has a
 * stream per channel, so that none waits behind another. After its messages a rank increments flags in the peers'
 * windows, on which the peers' streams wait: no kernel spins, and no host waits for another rank. Two ranks may share a
 * GPU.
 *
 * Flags of a rank, 4 bytes each: sent[peer], messages of channel 0 received from it; with two channels answered[peer],
 * messages of channel 1 received from it; with one channel read[peer], messages of this rank that it has read. Either
 * indicates when the peer's buffer for a slot may be overwritten. Counts increase from round to round and are never
 * reset. */
#include "parallel/transports/transport_internal.h"
#include "parallel/transports/put.h"
#include "parallel/transports/windows.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

enum { PUT_BLOCKS = 9, FLAGS_AT_ONCE = 128 };
enum { SENT, ANSWERED_OR_READ };

typedef CUresult stream_batch(CUstream, unsigned int, CUstreamBatchMemOpParams *, unsigned int);

typedef struct ipc {
  char **window;        /* [peer] the peer's as seen from here, and where its flags begin there */
  int64_t *flags;       /* [peer] */
  cudaStream_t *stream; /* [channel][group] */
  cudaEvent_t *left;    /* [slot][group] messages of the last channel have left                 */
  uint32_t *number;     /* [slot] of the message that has it, counted from 1; 0: free           */
  stream_batch *batch;
  CUstreamBatchMemOpParams *operations; /* [peer] room for a call */
  int blocks;                           /* of the kernel that puts; 0: copy engines */
  uint32_t counted;                     /* messages of earlier rounds */
} ipc;

static int driver_call(const char *name, stream_batch **out)
{
  enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  void *pointer = NULL;
#if CUDART_VERSION >= 12050
  TRIAD_TRY(TRIAD_CU(cudaGetDriverEntryPointByVersion(name, &pointer, 12000, cudaEnableDefault, &found)));
#else
  TRIAD_TRY(TRIAD_CU(cudaGetDriverEntryPoint(name, &pointer, cudaEnableDefault, &found)));
#endif
  *out = (stream_batch *)pointer;
  if (found == cudaDriverEntryPointSuccess && pointer) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"ipc\": this driver has no %s: use \"staged\"", name);
}

static int create_groups(ipc *p, const triad_gpu_messages *m)
{
  int groups = triad_gpu_messages_groups(m), least, greatest;
  size_t n = (size_t)m->shape.n_peers + 1, each = (size_t)groups + 1;
  p->window = calloc(n, sizeof *p->window);
  p->flags = calloc(n, sizeof *p->flags);
  p->operations = calloc(n, sizeof *p->operations);
  p->stream = calloc(each * (size_t)m->shape.channels, sizeof *p->stream);
  p->left = calloc(each * (size_t)m->shape.depth, sizeof *p->left);
  p->number = calloc((size_t)m->shape.depth, sizeof *p->number);
  if (!p->window || !p->flags || !p->operations || !p->stream || !p->left || !p->number)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "windows of %d peers", m->shape.n_peers);
  TRIAD_TRY(driver_call("cuStreamBatchMemOp", &p->batch));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  for (int i = 0; i < m->shape.channels * groups; i++)
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->stream[i], cudaStreamNonBlocking, greatest)));
  for (int i = 0; i < m->shape.depth * groups; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->left[i], cudaEventDisableTiming)));
  return TRIAD_OK;
}

/* Where flags begin in each peer's window. */
static int ask_flags(ipc *p, const triad_gpu_messages *m)
{
  const triad_comm *comm = &m->context->comm;
  int64_t mine = m->shape.flags, *all = calloc((size_t)comm->size, sizeof *all);
  int st = triad_agree(comm, all ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "offsets of flags"));
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, comm->mpi)));
  for (int i = 0; st == TRIAD_OK && i < m->shape.n_peers; i++) p->flags[i] = all[m->shape.peer[i]];
  free(all);
  return st;
}

static int create(void **self, triad_gpu_messages *m, int blocks)
{
  const triad_comm *comm = &m->context->comm;
  ipc *p = *self = calloc(1, sizeof *p);
  int st = triad_agree(comm, p ? create_groups(p, m) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages by IPC"));
  if (st != TRIAD_OK) return st;
  p->blocks = blocks;
  TRIAD_TRY(ask_flags(p, m));
  return triad_gpu_windows_open(p->window, comm, m->shape.window, m->shape.peer, m->shape.n_peers);
}

static int create_copying(void **self, triad_gpu_messages *m) { return create(self, m, 0); }
static int create_putting(void **self, triad_gpu_messages *m) { return create(self, m, PUT_BLOCKS); }

static void destroy(void **self, triad_gpu_messages *m)
{
  ipc *p = *self;
  if (!p) return;
  int groups = triad_gpu_messages_groups(m);
  if (p->window) triad_gpu_windows_close(p->window, m->shape.n_peers);
  for (int i = 0; p->left && i < m->shape.depth * groups; i++)
    if (p->left[i]) (void)cudaEventDestroy(p->left[i]);
  for (int i = 0; p->stream && i < m->shape.channels * groups; i++)
    if (p->stream[i]) (void)cudaStreamDestroy(p->stream[i]);
  free(p->window);
  free(p->flags);
  free(p->operations);
  free(p->stream);
  free(p->left);
  free(p->number);
  free(p);
  *self = NULL;
}

static int driver_check(CUresult result, const char *what)
{
  if (result == CUDA_SUCCESS) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: CUDA driver error %d", what, (int)result);
}

/* The flag in a window that rank `counts` counts up. */
static CUdeviceptr flag(const triad_gpu_messages *m, const char *window, int64_t flags, int which, int counts)
{
  return (CUdeviceptr)(window + flags) + sizeof(uint32_t) * (size_t)(which * m->context->comm.size + counts);
}

/* One operation on a flag of each of the peers begin .. end - 1, in the order of a stream. Writes come behind
 * everything before them on the stream, as others see them. */
static void each_flag(const ipc *p, const triad_gpu_messages *m, int begin, int end, CUstreamBatchMemOpType what,
                      int which, uint32_t value, cudaStream_t stream)
{
  int n = 0;
  for (int i = begin; i < end; i++) {
    CUstreamBatchMemOpParams *op = &p->operations[n++];
    *op = (CUstreamBatchMemOpParams){.operation = what};
    if (what == CU_STREAM_MEM_OP_WAIT_VALUE_32) {
      CUdeviceptr here = flag(m, m->shape.window, m->shape.flags, which, m->shape.peer[i]);
      op->waitValue = (struct CUstreamMemOpWaitValueParams_st){
        .operation = what, .address = here, .value = value, .flags = CU_STREAM_WAIT_VALUE_GEQ};
    } else {
      CUdeviceptr there = flag(m, p->window[i], p->flags[i], which, m->context->comm.rank);
      op->writeValue = (struct CUstreamMemOpWriteValueParams_st){
        .operation = what, .address = there, .value = value, .flags = CU_STREAM_WRITE_VALUE_DEFAULT};
    }
    if (n < FLAGS_AT_ONCE && i + 1 < end) continue;
    triad_gpu_messages_must(
      m, driver_check(p->batch((CUstream)stream, (unsigned)n, p->operations, 0), "cuStreamBatchMemOp"));
    n = 0;
  }
}

static void count_up(const ipc *p, const triad_gpu_messages *m, int begin, int end, int which, uint32_t value,
                     cudaStream_t stream)
{
  each_flag(p, m, begin, end, CU_STREAM_MEM_OP_WRITE_VALUE_32, which, value, stream);
}

static void wait_for(const ipc *p, const triad_gpu_messages *m, int begin, int end, int which, uint32_t value,
                     cudaStream_t stream)
{
  each_flag(p, m, begin, end, CU_STREAM_MEM_OP_WAIT_VALUE_32, which, value, stream);
}

static void launch(const ipc *p, const triad_gpu_messages *m, triad_put_parts *parts, cudaStream_t stream)
{
  triad_gpu_messages_must(m, triad_put(parts, p->blocks, stream));
  parts->n = 0;
}

static void send(const ipc *p, const triad_gpu_messages *m, int begin, int end, const triad_gpu_message *list,
                 cudaStream_t stream)
{
  triad_put_parts parts = {.n = 0};
  for (int i = begin; i < end; i++) {
    char *to = p->window[i] + list[i].there;
    if (list[i].send_bytes == 0) continue;
    if (p->blocks == 0) {
      triad_gpu_messages_must(
        m, TRIAD_CU(cudaMemcpyAsync(to, list[i].send, (size_t)list[i].send_bytes, cudaMemcpyDeviceToDevice, stream)));
      continue;
    }
    parts.of[parts.n++] = (triad_put_part){list[i].send, to, list[i].send_bytes};
    if (parts.n == TRIAD_PUT_PARTS) launch(p, m, &parts, stream);
  }
  if (p->blocks > 0) launch(p, m, &parts, stream);
}

static void start(void *self, triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                  cudaEvent_t ready, cudaEvent_t unused)
{
  ipc *p = self;
  int groups = triad_gpu_messages_groups(m), last = m->shape.channels - 1;
  int64_t slot = sequence % m->shape.depth;
  uint32_t number = p->counted + (uint32_t)sequence + 1;
  (void)unused; /* it is for the peers to say, by flags, when what they hold has been read */
  for (int g = 0; g < groups; g++) {
    int begin = triad_gpu_messages_group(m, g), end = triad_gpu_messages_group(m, g + 1);
    cudaStream_t stream = p->stream[channel * groups + g];
    if (ready) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, ready, 0)));
    if (channel == 0 && p->number[slot] > 0) wait_for(p, m, begin, end, ANSWERED_OR_READ, p->number[slot], stream);
    send(p, m, begin, end, list, stream);
    count_up(p, m, begin, end, channel, number, stream);
    if (channel == last) triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(p->left[slot * groups + g], stream)));
  }
  if (channel == 0) p->number[slot] = number;
}

static void wait(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  ipc *p = self;
  wait_for(p, m, 0, m->shape.n_peers, SENT, p->counted + (uint32_t)sequence + 1, stream);
}

static void answered(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  ipc *p = self;
  wait_for(p, m, 0, m->shape.n_peers, ANSWERED_OR_READ, p->counted + (uint32_t)sequence + 1, stream);
}

static void left(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  ipc *p = self;
  int groups = triad_gpu_messages_groups(m);
  for (int g = 0; g < groups; g++)
    triad_gpu_messages_must(m,
                            TRIAD_CU(cudaStreamWaitEvent(stream, p->left[sequence % m->shape.depth * groups + g], 0)));
}

static void finish(void *self, triad_gpu_messages *m, int64_t n, cudaStream_t stream)
{
  ipc *p = self;
  p->counted += (uint32_t)n;
  wait_for(p, m, 0, m->shape.n_peers, m->shape.channels - 1, p->counted, stream);
  left(p, m, n - 1, stream); /* and with it, in the order of its stream, all that was sent */
  /* of two channels all answers are here: every slot is free */
  if (m->shape.channels == 2) memset(p->number, 0, (size_t)m->shape.depth * sizeof *p->number);
}

static void read_all(void *self, triad_gpu_messages *m, cudaStream_t stream)
{
  ipc *p = self;
  count_up(p, m, 0, m->shape.n_peers, ANSWERED_OR_READ, p->counted, stream);
}

const triad_transport_way triad_transport_ipc = {create_copying, destroy, start,    wait, left,
                                                 answered,       finish,  read_all, NULL};
const triad_transport_way triad_transport_put = {create_putting, destroy, start,    wait, left,
                                                 answered,       finish,  read_all, NULL};
