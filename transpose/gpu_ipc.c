/* Messages between GPUs of a node by CUDA IPC: every rank maps the others' windows and copies straight into them, by
 * the copy engines, on two streams a peer: inputs never wait behind results, nor results behind inputs. Behind each copy it counts up a flag in the peer's window, which the peer's streams
 * wait for: no kernel spins, and no rank's host waits for another's. Two ranks may share a GPU.
 *
 * Flags of a rank, 4 bytes each: arrived[peer], chunks whose inputs have come from it; back[peer], chunks of results
 * that have come from it. Counts go on from pass to pass. A chunk's slot at a peer is free when that peer's results of
 * the chunk that had it are back. */
#include "transpose/gpu_transport.h"

#include <cuda.h>
#include <stdlib.h>

typedef CUresult stream_value(CUstream, CUdeviceptr, cuuint32_t, unsigned int);

typedef struct ipc {
  char **window;        /* [size] the ranks' windows as seen from here */
  cudaStream_t *in, *out; /* [size] inputs to a peer, results to a peer */
  cudaEvent_t *left;    /* [depth][size] results have left their slot  */
  stream_value *wait, *write;
  uint32_t counted;     /* chunks of earlier passes */
} ipc;

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

static int make(ipc *p, const triad_gpu_exchange *x)
{
  size_t size = (size_t)x->layout->size;
  int least, greatest;
  p->window = calloc(size, sizeof *p->window);
  p->in = calloc(size, sizeof *p->in);
  p->out = calloc(size, sizeof *p->out);
  p->left = calloc(size * (size_t)x->chunks.depth, sizeof *p->left);
  if (!p->window || !p->in || !p->out || !p->left) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "streams of %zu peers", size);
  TRIAD_TRY(driver_call("cuStreamWaitValue32", &p->wait));
  TRIAD_TRY(driver_call("cuStreamWriteValue32", &p->write));
  TRIAD_TRY(TRIAD_CU(cudaDeviceGetStreamPriorityRange(&least, &greatest)));
  for (size_t r = 0; r < size; r++) {
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->in[r], cudaStreamNonBlocking, greatest)));
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithPriority(&p->out[r], cudaStreamNonBlocking, greatest)));
  }
  for (size_t i = 0; i < size * (size_t)x->chunks.depth; i++)
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

static int create(void **self, triad_gpu_exchange *x)
{
  const triad_comm *comm = &x->context->comm;
  cudaIpcMemHandle_t mine, *all = calloc((size_t)comm->size, sizeof *all);
  ipc *p = *self = calloc(1, sizeof *p);
  int st = p && all ? make(p, x) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "IPC handles");
  if (st == TRIAD_OK) st = TRIAD_CU(cudaIpcGetMemHandle(&mine, x->window));
  st = triad_agree(comm, st);
  if (st == TRIAD_OK)
    st = triad_agree(comm, TRIAD_MPI(MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE,
                                                   comm->mpi)));
  if (st == TRIAD_OK) st = map_windows(p, x, all);
  free(all);
  return st;
}

static void destroy(void **self, triad_gpu_exchange *x)
{
  ipc *p = *self;
  int size = x->layout->size;
  if (!p) return;
  for (int r = 0; p->window && r < size; r++)
    if (p->window[r]) (void)cudaIpcCloseMemHandle(p->window[r]);
  for (int r = 0; p->in && r < size; r++)
    if (p->in[r]) (void)cudaStreamDestroy(p->in[r]);
  for (int r = 0; p->out && r < size; r++)
    if (p->out[r]) (void)cudaStreamDestroy(p->out[r]);
  for (int i = 0; p->left && i < size * x->chunks.depth; i++)
    if (p->left[i]) (void)cudaEventDestroy(p->left[i]);
  free(p->window);
  free(p->in);
  free(p->out);
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

static void count_up(const ipc *p, const triad_gpu_exchange *x, int peer, int which, uint32_t value, cudaStream_t stream)
{
  CUdeviceptr at = flag(p, x, peer, which, x->layout->rank);
  triad_gpu_must(x, driver_check(p->write((CUstream)stream, at, value, CU_STREAM_WRITE_VALUE_DEFAULT),
                                 "cuStreamWriteValue32"));
}

static void wait_for(const ipc *p, const triad_gpu_exchange *x, int peer, int which, uint32_t value, cudaStream_t stream)
{
  CUdeviceptr at = flag(p, x, x->layout->rank, which, peer);
  triad_gpu_must(x, driver_check(p->wait((CUstream)stream, at, value, CU_STREAM_WAIT_VALUE_GEQ), "cuStreamWaitValue32"));
}

static void copy(const ipc *p, const triad_gpu_exchange *x, int peer, int64_t to, const triad_cplx *from, int64_t count,
                 cudaStream_t stream)
{
  if (count == 0) return;
  triad_cplx *there = (triad_cplx *)(void *)p->window[peer] + to;
  triad_gpu_must(x, TRIAD_CU(cudaMemcpyAsync(there, from, (size_t)count * sizeof *from, cudaMemcpyDeviceToDevice, stream)));
}

static void start_in(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  ipc *p = self;
  const triad_layout *l = x->layout;
  for (int step = 1; step < l->size; step++) {
    int r = triad_gpu_peer(x, step);
    int64_t earlier = chunk - x->chunks.depth;
    if (earlier < 0) triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(p->in[r], x->ready, 0)));
    else wait_for(p, x, r, BACK, p->counted + (uint32_t)earlier + 1, p->in[r]);
    copy(p, x, r, triad_gpu_arrived_place(x, l->rank, r, chunk),
         triad_gpu_exchange_work(x) + triad_gpu_work_place(x, l->rank, r, chunk),
         triad_gpu_part_size(x, l->rank, r, chunk, x->n_in), p->in[r]);
    count_up(p, x, r, ARRIVED, p->counted + (uint32_t)chunk + 1, p->in[r]);
  }
}

static void wait_in(void *self, triad_gpu_exchange *x, int64_t chunk, cudaStream_t stream)
{
  ipc *p = self;
  const triad_layout *l = x->layout;
  for (int step = 1; step < l->size; step++) {
    int r = triad_gpu_peer(x, step);
    wait_for(p, x, r, ARRIVED, p->counted + (uint32_t)chunk + 1, stream);
    /* the slot of results is filled next */
    cudaEvent_t left = p->left[chunk % x->chunks.depth * l->size + r];
    if (chunk >= x->chunks.depth) triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, left, 0)));
  }
}

static void start_out(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  ipc *p = self;
  const triad_layout *l = x->layout;
  int64_t slot = chunk % x->chunks.depth;
  for (int step = 1; step < l->size; step++) {
    int r = triad_gpu_peer(x, step);
    triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(p->out[r], x->done[slot], 0)));
    copy(p, x, r, triad_gpu_work_place(x, r, l->rank, chunk),
         triad_gpu_exchange_leaving(x, chunk) + triad_gpu_part(l, l->rank, r) * x->chunks.planes * x->slots,
         triad_gpu_part_size(x, r, l->rank, chunk, x->n_back), p->out[r]);
    count_up(p, x, r, BACK, p->counted + (uint32_t)chunk + 1, p->out[r]);
    triad_gpu_must(x, TRIAD_CU(cudaEventRecord(p->left[slot * l->size + r], p->out[r])));
  }
}

static void finish(void *self, triad_gpu_exchange *x, cudaStream_t stream)
{
  ipc *p = self;
  p->counted += (uint32_t)x->chunks.count;
  for (int step = 1; step < x->layout->size; step++) {
    int r = triad_gpu_peer(x, step);
    wait_for(p, x, r, BACK, p->counted, stream);
    /* all that was sent has left: slots are free for the next pass */
    int64_t last = (x->chunks.count - 1) % x->chunks.depth;
    triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, p->left[last * x->layout->size + r], 0)));
  }
}

const triad_gpu_transport triad_gpu_ipc = {"ipc", create, destroy, start_in, wait_in, start_out, finish};
