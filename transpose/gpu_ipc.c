/* Messages between GPUs of a node by CUDA IPC: every rank maps the others' windows and writes straight into them, by the
 * copy engines (ipc) or by a kernel's stores (put, transpose/gpu_put.h). Inputs go on one stream and results on another,
 * so neither waits behind the other; within a stream a message goes to each peer in turn. Behind the messages of a chunk
 * each rank counts up flags in the peers' windows, which the peers' streams wait for: no kernel spins, and no rank's host
 * waits for another's. Two ranks may share a GPU.
 *
 * Flags of a rank, 4 bytes each: arrived[peer], chunks whose inputs have come from it; back[peer], chunks of results
 * that have come from it. Counts go on from pass to pass. A chunk's slot at a peer is free when that peer's results of
 * the chunk that had it are back. */
#include "transpose/gpu_put.h"
#include "transpose/gpu_transport.h"

#include <cuda.h>
#include <stdlib.h>

enum { PUT_BLOCKS = 9, FLAGS_AT_ONCE = 128 };

typedef CUresult stream_batch(CUstream, unsigned int, CUstreamBatchMemOpParams *, unsigned int);

typedef struct ipc {
  char **window;        /* [size] the ranks' windows as seen from here */
  cudaStream_t in, out; /* inputs to peers, results to peers           */
  cudaEvent_t *left;    /* [depth] results have left their slot        */
  stream_batch *batch;
  CUstreamBatchMemOpParams *flags; /* [size] room for a call           */
  int blocks;           /* of the kernel that puts; 0: copy engines    */
  uint32_t counted;     /* chunks of earlier passes                    */
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
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"ipc\": this driver has no %s; take \"staged\"", name);
}

static int make(ipc *p, const triad_gpu_exchange *x)
{
  size_t size = (size_t)x->layout->size;
  int least, greatest;
  p->window = calloc(size, sizeof *p->window);
  p->flags = calloc(size, sizeof *p->flags);
  p->left = calloc((size_t)x->chunks.depth, sizeof(cudaEvent_t));
  if (!p->window || !p->flags || !p->left) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "windows of %zu peers", size);
  TRIAD_TRY(driver_call("cuStreamBatchMemOp", &p->batch));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->in, cudaStreamNonBlocking, greatest)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->out, cudaStreamNonBlocking, greatest)));
  for (int i = 0; i < x->chunks.depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->left[i], cudaEventDisableTiming)));
  return TRIAD_OK;
}

static int map_windows(ipc *p, const triad_gpu_exchange *x, const cudaIpcMemHandle_t *handles)
{
  for (int r = 0; r < x->layout->size; r++) {
    if (r == x->layout->rank) continue;
    cudaError_t error = cudaIpcOpenMemHandle((void **)&p->window[r], handles[r], cudaIpcMemLazyEnablePeerAccess);
    if (error == cudaSuccess) continue;
    p->window[r] = NULL;
    (void)cudaGetLastError();
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"ipc\": the GPU memory of rank %d cannot be mapped (%s); "
                                         "take \"nccl\" or \"staged\"", r, cudaGetErrorString(error));
  }
  return TRIAD_OK;
}

static int create(void **self, triad_gpu_exchange *x, int blocks)
{
  const triad_comm *comm = &x->context->comm;
  cudaIpcMemHandle_t mine, *all = calloc((size_t)comm->size, sizeof *all);
  ipc *p = *self = calloc(1, sizeof *p);
  int st = p && all ? make(p, x) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "IPC handles");
  if (p) p->blocks = blocks;
  if (st == TRIAD_OK) st = TRIAD_CU(cudaIpcGetMemHandle(&mine, x->window));
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE,
                                                   comm->mpi)));
  if (st == TRIAD_OK) st = map_windows(p, x, all);
  free(all);
  return st;
}

static int create_copying(void **self, triad_gpu_exchange *x) { return create(self, x, 0); }
static int create_putting(void **self, triad_gpu_exchange *x) { return create(self, x, PUT_BLOCKS); }

static void destroy(void **self, triad_gpu_exchange *x)
{
  ipc *p = *self;
  if (!p) return;
  for (int r = 0; p->window && r < x->layout->size; r++)
    if (p->window[r]) (void)cudaIpcCloseMemHandle(p->window[r]);
  for (int i = 0; p->left && i < x->chunks.depth; i++)
    if (p->left[i]) (void)cudaEventDestroy(p->left[i]);
  if (p->in) (void)cudaStreamDestroy(p->in);
  if (p->out) (void)cudaStreamDestroy(p->out);
  free(p->window);
  free(p->flags);
  free(p->left);
  free(p);
  *self = NULL;
}

static int driver_check(CUresult result, const char *what)
{
  if (result == CUDA_SUCCESS) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: CUDA driver error %d", what, (int)result);
}

enum { ARRIVED, BACK };

/* The flag in the window of `owner` that `peer` counts. A window's size depends on the rank's columns. */
static CUdeviceptr flag(const ipc *p, const triad_gpu_exchange *x, int owner, int which, int peer)
{
  const triad_layout *l = x->layout;
  int64_t work = l->grid.n[2] * x->most * triad_gpu_columns_padded(l, owner);
  int64_t slots = x->chunks.depth * triad_gpu_slot_size(x, owner, x->most_in);
  int64_t at = ((work + slots) * (int64_t)sizeof(triad_cplx) + TRIAD_GPU_FLAG_ALIGN - 1) / TRIAD_GPU_FLAG_ALIGN *
               TRIAD_GPU_FLAG_ALIGN;
  char *window = owner == l->rank ? x->window : p->window[owner];
  return (CUdeviceptr)(window + at) + sizeof(uint32_t) * (size_t)(which * l->size + peer);
}

/* One operation on a flag of each peer, in the order of a stream. */
static void each_flag(const ipc *p, const triad_gpu_exchange *x, CUstreamBatchMemOpType what, int which, uint32_t value,
                      cudaStream_t stream)
{
  int n = 0, rank = x->layout->rank;
  for (int step = 1; step < x->layout->size; step++) {
    int r = triad_gpu_peer(x, step), waits = what == CU_STREAM_MEM_OP_WAIT_VALUE_32;
    CUstreamBatchMemOpParams *op = &p->flags[n++];
    *op = (CUstreamBatchMemOpParams){.operation = what};
    if (waits)
      op->waitValue = (struct CUstreamMemOpWaitValueParams_st){.operation = what, .address = flag(p, x, rank, which, r),
                                                               .value = value, .flags = CU_STREAM_WAIT_VALUE_GEQ};
    else
      op->writeValue = (struct CUstreamMemOpWriteValueParams_st){.operation = what, .address = flag(p, x, r, which, rank),
                                                                 .value = value, .flags = CU_STREAM_WRITE_VALUE_DEFAULT};
    if (n < FLAGS_AT_ONCE && step + 1 < x->layout->size) continue;
    triad_gpu_must(x, driver_check(p->batch((CUstream)stream, (unsigned)n, p->flags, 0), "cuStreamBatchMemOp"));
    n = 0;
  }
}

/* Writes come behind everything before them on the stream, as others see them. */
static void count_up(const ipc *p, const triad_gpu_exchange *x, int which, uint32_t value, cudaStream_t stream)
{
  each_flag(p, x, CU_STREAM_MEM_OP_WRITE_VALUE_32, which, value, stream);
}

static void wait_for(const ipc *p, const triad_gpu_exchange *x, int which, uint32_t value, cudaStream_t stream)
{
  each_flag(p, x, CU_STREAM_MEM_OP_WAIT_VALUE_32, which, value, stream);
}

static void launch(const ipc *p, const triad_gpu_exchange *x, triad_gpu_parcels *parcels, cudaStream_t stream)
{
  triad_gpu_must(x, triad_gpu_put_parcels(parcels, p->blocks, stream));
  parcels->n = 0;
}

/* A message to each peer: `message` says what. */
typedef triad_gpu_parcel triad_gpu_message(const ipc *p, const triad_gpu_exchange *x, int64_t chunk, int peer);

static void send_all(const ipc *p, const triad_gpu_exchange *x, triad_gpu_message *message, int64_t chunk,
                     cudaStream_t stream)
{
  triad_gpu_parcels parcels = {.n = 0};
  for (int step = 1; step < x->layout->size; step++) {
    triad_gpu_parcel one = message(p, x, chunk, triad_gpu_peer(x, step));
    if (one.count == 0) continue;
    if (p->blocks == 0) {
      triad_gpu_must(x, TRIAD_CU(cudaMemcpyAsync(one.to, one.from, (size_t)one.count * sizeof *one.from,
                                                 cudaMemcpyDeviceToDevice, stream)));
      continue;
    }
    parcels.of[parcels.n++] = one;
    if (parcels.n == TRIAD_GPU_PARCELS) launch(p, x, &parcels, stream);
  }
  if (p->blocks > 0) launch(p, x, &parcels, stream);
}

/* This rank's columns of a chunk of a peer's planes. */
static triad_gpu_parcel inputs(const ipc *p, const triad_gpu_exchange *x, int64_t chunk, int peer)
{
  int rank = x->layout->rank;
  return (triad_gpu_parcel){triad_gpu_exchange_work(x) + triad_gpu_work_place(x, rank, peer, chunk),
                         (triad_cplx *)(void *)p->window[peer] + triad_gpu_arrived_place(x, rank, peer, chunk),
                         triad_gpu_part_size(x, rank, peer, chunk, x->n_in)};
}

/* A peer's columns of a chunk of this rank's planes. */
static triad_gpu_parcel results(const ipc *p, const triad_gpu_exchange *x, int64_t chunk, int peer)
{
  int rank = x->layout->rank;
  int64_t part = triad_gpu_part(x->layout, rank, peer) * x->chunks.planes * x->slots;
  return (triad_gpu_parcel){triad_gpu_exchange_leaving(x, chunk) + part,
                         (triad_cplx *)(void *)p->window[peer] + triad_gpu_work_place(x, peer, rank, chunk),
                         triad_gpu_part_size(x, peer, rank, chunk, x->n_back)};
}

static void start_in(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  ipc *p = self;
  int64_t earlier = chunk - x->chunks.depth;
  if (chunk == 0) triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(p->in, x->ready, 0)));
  if (earlier >= 0) wait_for(p, x, BACK, p->counted + (uint32_t)earlier + 1, p->in);
  send_all(p, x, inputs, chunk, p->in);
  count_up(p, x, ARRIVED, p->counted + (uint32_t)chunk + 1, p->in);
}

static void wait_in(void *self, triad_gpu_exchange *x, int64_t chunk, cudaStream_t stream)
{
  ipc *p = self;
  wait_for(p, x, ARRIVED, p->counted + (uint32_t)chunk + 1, stream);
  /* the slot of results is filled next */
  if (chunk >= x->chunks.depth)
    triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, p->left[chunk % x->chunks.depth], 0)));
}

static void start_out(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  ipc *p = self;
  int64_t slot = chunk % x->chunks.depth;
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(p->out, x->done[slot], 0)));
  send_all(p, x, results, chunk, p->out);
  count_up(p, x, BACK, p->counted + (uint32_t)chunk + 1, p->out);
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(p->left[slot], p->out)));
}

static void finish(void *self, triad_gpu_exchange *x, cudaStream_t stream)
{
  ipc *p = self;
  p->counted += (uint32_t)x->chunks.count;
  wait_for(p, x, BACK, p->counted, stream);
  /* all that was sent has left: slots are free for the next pass */
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, p->left[(x->chunks.count - 1) % x->chunks.depth], 0)));
}

const triad_gpu_transport triad_gpu_ipc = {"ipc", create_copying, destroy, start_in, wait_in, start_out, finish};
const triad_gpu_transport triad_gpu_put = {"put", create_putting, destroy, start_in, wait_in, start_out, finish};
