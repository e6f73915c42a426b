/* Messages between GPUs by MPI: through pinned host buffers (staged), or straight from and into device memory where the
 * MPI library can (cuda-mpi). MPI knows no streams, so a message starts when the host has seen the event before it; the
 * host looks at all that is under way whenever it waits for something (advance), so that nothing waits for its turn. */
#include "base/clock.h"
#include "transpose/gpu_transport.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { IN, OUT, WAYS };

/* One way of a slot: columns to planes, or results to columns. */
typedef struct way {
  int64_t chunk;               /* under way, -1: none                                           */
  int posted, landed;          /* messages are on their way; all have come and are on the GPU   */
  triad_cplx *send, *receive;  /* pinned; NULL: device memory is given to MPI                   */
  MPI_Request *sends, *receives; /* [size] */
  cudaEvent_t down, up;        /* what is sent is there; what was received is on the GPU        */
} way;

typedef struct mpi {
  int direct;
  way *slot[WAYS]; /* [depth] */
  cudaStream_t down[WAYS], up;
  cudaEvent_t back;
} mpi;

/* Columns a rank holds for the planes of all others, n fields of a chunk: what it sends inwards and gets back. */
static int64_t column_side(const triad_gpu_exchange *x, int n)
{
  const triad_layout *l = x->layout;
  return (l->size - 1) * x->chunks.planes * n * triad_gpu_columns_padded(l, l->rank);
}

static int pin(triad_cplx **out, int64_t count)
{
  *out = NULL;
  cudaError_t error = cudaMallocHost((void **)out, (size_t)(count > 0 ? count : 1) * sizeof **out);
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "pinned host buffers of %lld bytes: %s", (long long)count * (long long)sizeof **out,
                    cudaGetErrorString(error));
}

static int make_way(mpi *m, const triad_gpu_exchange *x, int which, way *w)
{
  const triad_layout *l = x->layout;
  int64_t columns = column_side(x, which == IN ? x->most_in : x->most);
  int64_t planes = triad_gpu_slot_size(x, l->rank, which == IN ? x->most_in : x->most);
  w->chunk = -1;
  w->sends = calloc((size_t)l->size, sizeof *w->sends);
  w->receives = calloc((size_t)l->size, sizeof *w->receives);
  if (!w->sends || !w->receives) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "requests of %d ranks", l->size);
  for (int r = 0; r < l->size; r++) w->sends[r] = w->receives[r] = MPI_REQUEST_NULL;
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&w->down, cudaEventDisableTiming)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&w->up, cudaEventDisableTiming)));
  if (m->direct) return TRIAD_OK;
  TRIAD_TRY(pin(&w->send, which == IN ? columns : planes));
  return pin(&w->receive, which == IN ? planes : columns);
}

static int make(mpi *m, const triad_gpu_exchange *x)
{
  for (int which = 0; which < WAYS; which++) {
    m->slot[which] = calloc((size_t)x->chunks.depth, sizeof(way));
    if (!m->slot[which]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "slots of the exchange");
    for (int s = 0; s < x->chunks.depth; s++) TRIAD_TRY(make_way(m, x, which, &m->slot[which][s]));
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&m->down[which], cudaStreamNonBlocking)));
  }
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&m->back, cudaEventDisableTiming)));
  return TRIAD_CU(cudaStreamCreateWithFlags(&m->up, cudaStreamNonBlocking));
}

static int create(void **self, triad_gpu_exchange *x, int direct)
{
  mpi *m = *self = calloc(1, sizeof *m);
  if (!m) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the transport");
  m->direct = direct;
  return make(m, x);
}

static int create_staged(void **self, triad_gpu_exchange *x) { return create(self, x, 0); }
static int create_direct(void **self, triad_gpu_exchange *x) { return create(self, x, 1); }

static void destroy(void **self, triad_gpu_exchange *x)
{
  mpi *m = *self;
  if (!m) return;
  for (int which = 0; which < WAYS; which++) {
    for (int s = 0; m->slot[which] && s < x->chunks.depth; s++) {
      way *w = &m->slot[which][s];
      if (w->send) (void)cudaFreeHost(w->send);
      if (w->receive) (void)cudaFreeHost(w->receive);
      if (w->down) (void)cudaEventDestroy(w->down);
      if (w->up) (void)cudaEventDestroy(w->up);
      free(w->sends);
      free(w->receives);
    }
    if (m->down[which]) (void)cudaStreamDestroy(m->down[which]);
    free(m->slot[which]);
  }
  if (m->back) (void)cudaEventDestroy(m->back);
  if (m->up) (void)cudaStreamDestroy(m->up);
  free(m);
  *self = NULL;
}

/* One message of a way, between this rank and r: how much, and where it lies on the device and in the host's buffer. */
typedef struct message {
  int64_t count;
  triad_cplx *device, *host;
} message;

/* This rank as the holder of columns: in chunk c of rank r's planes. */
static message columns_message(const triad_gpu_exchange *x, int which, const way *w, triad_cplx *host, int r)
{
  const triad_layout *l = x->layout;
  int n = which == IN ? x->n_in : x->n_back, before = r < l->rank ? r : r - 1;
  int64_t room = x->chunks.planes * n * triad_gpu_columns_padded(l, l->rank);
  return (message){triad_gpu_part_size(x, l->rank, r, w->chunk, n),
                   triad_gpu_exchange_work(x) + triad_gpu_work_place(x, l->rank, r, w->chunk),
                   host ? host + before * room : NULL};
}

/* This rank as the owner of planes: rank r's columns there. */
static message planes_message(const triad_gpu_exchange *x, int which, const way *w, triad_cplx *host, int r)
{
  const triad_layout *l = x->layout;
  int n = which == IN ? x->n_in : x->n_back;
  int64_t part = triad_gpu_part(l, l->rank, r) * x->chunks.planes;
  triad_cplx *device = which == IN ? triad_gpu_exchange_work(x) + triad_gpu_arrived_place(x, r, l->rank, w->chunk)
                                   : triad_gpu_exchange_leaving(x, w->chunk) + part * x->slots;
  return (message){triad_gpu_part_size(x, r, l->rank, w->chunk, n), device, host ? host + part * n : NULL};
}

static message sent(const triad_gpu_exchange *x, int which, const way *w, int r)
{
  return which == IN ? columns_message(x, IN, w, w->send, r) : planes_message(x, OUT, w, w->send, r);
}

static message received(const triad_gpu_exchange *x, int which, const way *w, int r)
{
  return which == IN ? planes_message(x, IN, w, w->receive, r) : columns_message(x, OUT, w, w->receive, r);
}

static void post(const mpi *m, triad_gpu_exchange *x, int which, way *w)
{
  MPI_Comm comm = x->context->comm.mpi;
  int tag = (int)(WAYS * w->chunk) + which, bytes = 0;
  for (int step = 1; step < x->layout->size; step++) {
    int r = triad_gpu_peer(x, step), s = triad_gpu_peer(x, x->layout->size - step);
    message in = received(x, which, w, r), out = sent(x, which, w, s);
    triad_gpu_must(x, triad_narrow(in.count * (int64_t)sizeof(triad_cplx), &bytes));
    if (bytes > 0)
      triad_gpu_must(x, TRIAD_MPI(MPI_Irecv(m->direct ? in.device : in.host, bytes, MPI_BYTE, r, tag, comm,
                                            &w->receives[r])));
    triad_gpu_must(x, triad_narrow(out.count * (int64_t)sizeof(triad_cplx), &bytes));
    if (bytes > 0)
      triad_gpu_must(x, TRIAD_MPI(MPI_Isend(m->direct ? out.device : out.host, bytes, MPI_BYTE, s, tag, comm,
                                            &w->sends[s])));
  }
  w->posted = 1;
}

static int happened(const triad_gpu_exchange *x, cudaEvent_t event)
{
  cudaError_t error = cudaEventQuery(event);
  if (error == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return 0;
  }
  triad_gpu_must(x, TRIAD_CU(error));
  return 1;
}

static int complete(const triad_gpu_exchange *x, MPI_Request *requests)
{
  int flag = 0;
  triad_gpu_must(x, TRIAD_MPI(MPI_Testall(x->layout->size, requests, &flag, MPI_STATUSES_IGNORE)));
  return flag;
}

/* Of copies that are timed: wait for what the stream has, and begin or end. */
static void clock_copies(triad_gpu_exchange *x, cudaStream_t stream, double sign)
{
  if (!x->apart) return;
  triad_gpu_must(x, TRIAD_CU(cudaStreamSynchronize(stream)));
  x->copies_s += sign * triad_now();
}

static void upload(const mpi *m, triad_gpu_exchange *x, int which, way *w, cudaStream_t stream)
{
  clock_copies(x, stream, -1);
  for (int step = 1; !m->direct && step < x->layout->size; step++) {
    message in = received(x, which, w, triad_gpu_peer(x, step));
    if (in.count > 0)
      triad_gpu_must(x, TRIAD_CU(cudaMemcpyAsync(in.device, in.host, (size_t)in.count * sizeof(triad_cplx),
                                                   cudaMemcpyHostToDevice, stream)));
  }
  clock_copies(x, stream, 1);
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(w->up, stream)));
  w->landed = 1;
}

/* Start messages whose data is there; bring results that have come to the GPU. */
static void advance(mpi *m, triad_gpu_exchange *x)
{
  for (int which = 0; which < WAYS; which++)
    for (int s = 0; s < x->chunks.depth; s++) {
      way *w = &m->slot[which][s];
      if (w->chunk >= 0 && !w->posted && happened(x, w->down)) post(m, x, which, w);
      if (which == OUT && w->posted && !w->landed && complete(x, w->receives)) upload(m, x, OUT, w, m->up);
    }
}

/* The slot's earlier chunk is done with on this side; then it carries `chunk`. */
static way *reuse(mpi *m, triad_gpu_exchange *x, int which, int64_t chunk)
{
  way *w = &m->slot[which][chunk % x->chunks.depth];
  while (w->chunk >= 0 && !(w->posted && w->landed && complete(x, w->sends) && happened(x, w->up))) {
    advance(m, x);
    (void)sched_yield();
  }
  w->chunk = chunk;
  w->posted = w->landed = 0;
  return w;
}

static void download(const mpi *m, triad_gpu_exchange *x, int which, way *w)
{
  clock_copies(x, m->down[which], -1);
  for (int step = 1; !m->direct && step < x->layout->size; step++) {
    message out = sent(x, which, w, triad_gpu_peer(x, step));
    if (out.count > 0)
      triad_gpu_must(x, TRIAD_CU(cudaMemcpyAsync(out.host, out.device, (size_t)out.count * sizeof(triad_cplx),
                                                   cudaMemcpyDeviceToHost, m->down[which])));
  }
  clock_copies(x, m->down[which], 1);
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(w->down, m->down[which])));
}

static void start_in(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  mpi *m = self;
  way *w = reuse(m, x, IN, chunk);
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(m->down[IN], x->ready, 0)));
  /* what the slot's last chunk was computed from is overwritten next */
  if (chunk >= x->chunks.depth)
    triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(m->down[IN], x->done[chunk % x->chunks.depth], 0)));
  download(m, x, IN, w);
  advance(m, x);
}

static void wait_in(void *self, triad_gpu_exchange *x, int64_t chunk, cudaStream_t stream)
{
  mpi *m = self;
  way *in = &m->slot[IN][chunk % x->chunks.depth], *out = &m->slot[OUT][chunk % x->chunks.depth];
  while (!(in->posted && complete(x, in->receives))) {
    advance(m, x);
    (void)sched_yield();
  }
  upload(m, x, IN, in, stream);
  /* the slot of results is filled next: the earlier ones must have left it */
  while (out->chunk >= 0 && !(out->posted && (!m->direct || complete(x, out->sends)))) {
    advance(m, x);
    (void)sched_yield();
  }
}

static void start_out(void *self, triad_gpu_exchange *x, int64_t chunk)
{
  mpi *m = self;
  way *in = &m->slot[IN][chunk % x->chunks.depth], *out = reuse(m, x, OUT, chunk);
  /* results come back to where the inputs of this chunk were: those must have left */
  while (m->direct && !complete(x, in->sends)) {
    advance(m, x);
    (void)sched_yield();
  }
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(m->down[OUT], x->done[chunk % x->chunks.depth], 0)));
  download(m, x, OUT, out);
  advance(m, x);
}

static void finish(void *self, triad_gpu_exchange *x, cudaStream_t stream)
{
  mpi *m = self;
  for (int which = 0; which < WAYS; which++)
    for (int s = 0; s < x->chunks.depth; s++) {
      way *w = &m->slot[which][s];
      while (w->chunk >= 0 && !(w->posted && w->landed && complete(x, w->sends))) {
        advance(m, x);
        (void)sched_yield();
      }
      w->chunk = -1;
    }
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(m->back, m->up)));
  triad_gpu_must(x, TRIAD_CU(cudaStreamWaitEvent(stream, m->back, 0)));
}

const triad_gpu_transport triad_gpu_staged = {"staged", create_staged, destroy, start_in, wait_in, start_out, finish};
const triad_gpu_transport triad_gpu_cuda_mpi = {"cuda-mpi", create_direct, destroy, start_in, wait_in, start_out, finish};
