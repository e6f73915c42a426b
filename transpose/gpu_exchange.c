#include "transpose/gpu_transport.h"

#include <stdlib.h>

enum { DEFAULT_DEPTH = 8, CHUNKS_A_SLOT = 4, MESSAGE_BYTES = 4 << 20 };

static int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t maximum(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t triad_gpu_columns_padded(const triad_layout *l, int r)
{
  return (l->column_begin[r + 1] - l->column_begin[r] + 15) / 16 * 16;
}

int64_t triad_gpu_part(const triad_layout *l, int owner, int r)
{
  int64_t before = 0;
  for (int i = 0; i < r; i++)
    if (i != owner) before += triad_gpu_columns_padded(l, i);
  return before;
}

static int64_t others(const triad_layout *l, int p) { return triad_gpu_part(l, p, l->size); }

/* Chunks small enough that the first and the last, which overlap with nothing, are a small share, and large enough that
 * a message is worth its start-up. With one rank nothing travels: a chunk a stream. */
static triad_gpu_chunks choose_chunks(const triad_layout *l, int most, int nstreams)
{
  int64_t planes = divide_up(l->grid.n[2], l->size), depth = nstreams;
  if (depth <= 0) depth = l->size > 1 ? DEFAULT_DEPTH : 1;
  int64_t chunk = divide_up(planes, depth);
  if (l->size > 1) {
    int64_t message = (l->all_columns / l->size + 1) * most * (int64_t)sizeof(triad_cplx);
    chunk = minimum(chunk, maximum(divide_up(planes, CHUNKS_A_SLOT * depth), divide_up(MESSAGE_BYTES, message)));
  }
  triad_gpu_chunks c = {.planes = chunk, .count = divide_up(planes, chunk)};
  c.depth = (int)minimum(depth, c.count);
  return c;
}

void triad_gpu_exchange_needs(const triad_layout *l, int most_in, int most_out, int nstreams, triad_gpu_chunks *chunks,
                              int64_t *work_bytes, int64_t *buffer_bytes)
{
  int64_t cplx = (int64_t)sizeof(triad_cplx), most = maximum(most_in, most_out);
  *chunks = choose_chunks(l, (int)most, nstreams);
  *work_bytes = l->grid.n[2] * most * triad_gpu_columns_padded(l, l->rank) * cplx;
  *buffer_bytes = chunks->depth * chunks->planes * others(l, l->rank) * (most_in + most) * cplx;
}

void triad_gpu_must(const triad_gpu_exchange *x, int status)
{
  if (status == TRIAD_OK) return;
  triad_message_print(x->layout->size > 1 ? x->layout->rank : -1);
  (void)MPI_Abort(x->context->comm.mpi, status);
}

int64_t triad_gpu_slot_size(const triad_gpu_exchange *x, int p, int n)
{
  return x->chunks.planes * others(x->layout, p) * n;
}

void triad_gpu_exchange_planes(const triad_gpu_exchange *x, int r, int64_t chunk, int64_t *begin, int64_t *end)
{
  int64_t planes = x->layout->plane_begin[r + 1] - x->layout->plane_begin[r];
  *begin = minimum(chunk * x->chunks.planes, planes);
  *end = minimum(*begin + x->chunks.planes, planes);
}

int64_t triad_gpu_part_size(const triad_gpu_exchange *x, int r, int p, int64_t chunk, int n)
{
  int64_t begin, end;
  triad_gpu_exchange_planes(x, p, chunk, &begin, &end);
  return (end - begin) * n * triad_gpu_columns_padded(x->layout, r);
}

int64_t triad_gpu_work_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk)
{
  int64_t begin, end;
  triad_gpu_exchange_planes(x, p, chunk, &begin, &end);
  return (x->layout->plane_begin[p] + begin) * x->slots * triad_gpu_columns_padded(x->layout, r);
}

int64_t triad_gpu_arrived_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk)
{
  const triad_layout *l = x->layout;
  int64_t work = l->grid.n[2] * x->most * triad_gpu_columns_padded(l, p);
  int64_t slot = chunk % x->chunks.depth * triad_gpu_slot_size(x, p, x->most_in);
  return work + slot + triad_gpu_part(l, p, r) * x->chunks.planes * x->n_in;
}

void triad_gpu_exchange_fields(triad_gpu_exchange *x, int n_in, int n_out)
{
  x->n_in = n_in;
  x->slots = n_in > n_out ? n_in : n_out;
  x->n_back = n_out > 0 ? x->slots : 0;
}

triad_cplx *triad_gpu_exchange_work(const triad_gpu_exchange *x) { return (triad_cplx *)(void *)x->window; }
triad_gpu_chunks triad_gpu_exchange_chunks(const triad_gpu_exchange *x) { return x->chunks; }
const char *triad_gpu_exchange_name(const triad_gpu_exchange *x) { return x->transport ? x->transport->name : "none"; }

triad_cplx *triad_gpu_exchange_own(const triad_gpu_exchange *x, int64_t chunk)
{
  return triad_gpu_exchange_work(x) + triad_gpu_work_place(x, x->layout->rank, x->layout->rank, chunk);
}

triad_cplx *triad_gpu_exchange_arrived(const triad_gpu_exchange *x, int64_t chunk)
{
  return triad_gpu_exchange_work(x) + triad_gpu_arrived_place(x, 0, x->layout->rank, chunk);
}

triad_cplx *triad_gpu_exchange_leaving(const triad_gpu_exchange *x, int64_t chunk)
{
  return x->leaving + chunk % x->chunks.depth * triad_gpu_slot_size(x, x->layout->rank, x->most);
}

/* Two counters a peer, 4 bytes each: chunks that have arrived from it, chunks of results that have come back. */
static int take(triad_gpu_exchange *x, int nstreams, int most_out)
{
  const triad_layout *l = x->layout;
  int64_t work, buffers, cplx = (int64_t)sizeof(triad_cplx);
  triad_gpu_exchange_needs(l, x->most_in, most_out, nstreams, &x->chunks, &work, &buffers);
  int64_t arrived = x->chunks.depth * triad_gpu_slot_size(x, l->rank, x->most_in) * cplx;
  x->window_bytes = divide_up(work + arrived, TRIAD_GPU_FLAG_ALIGN) * TRIAD_GPU_FLAG_ALIGN +
                    2 * (int64_t)sizeof(uint32_t) * l->size;
  TRIAD_TRY(triad_device_take(x->device, "work columns and what arrives", x->window_bytes, 1, (void **)&x->window));
  TRIAD_TRY(triad_device_take(x->device, "what leaves", x->chunks.depth * triad_gpu_slot_size(x, l->rank, x->most),
                              sizeof(triad_cplx), (void **)&x->leaving));
  x->done = calloc((size_t)x->chunks.depth, sizeof *x->done);
  if (!x->done) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", x->chunks.depth);
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->ready, cudaEventDisableTiming)));
  for (int i = 0; i < x->chunks.depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->done[i], cudaEventDisableTiming)));
  return triad_device_wait(x->device); /* flags are zero before a peer can count in them */
}

int triad_gpu_exchange_create(triad_gpu_exchange **out, triad_context *context, triad_device *device,
                              const triad_layout *layout, int most_in, int most_out,
                              const triad_gpu_exchange_options *options)
{
  triad_gpu_exchange *x = *out = calloc(1, sizeof *x);
  int st = x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the exchange");
  if (x) {
    x->context = context;
    x->device = device;
    x->layout = layout;
    x->most_in = most_in;
    x->most = most_in > most_out ? most_in : most_out;
    triad_gpu_exchange_fields(x, most_in, most_out);
    st = take(x, options->nstreams, most_out);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK && layout->size > 1) {
    const triad_gpu_transport *transport;
    st = triad_gpu_transport_choose(&transport, options->transport, context, device);
    if (st == TRIAD_OK) {
      x->transport = transport;
      st = triad_agree(&context->comm, transport->create(&x->self, x));
    }
  }
  if (st != TRIAD_OK) triad_gpu_exchange_destroy(out);
  return st;
}

void triad_gpu_exchange_destroy(triad_gpu_exchange **exchange)
{
  if (!exchange || !*exchange) return;
  triad_gpu_exchange *x = *exchange;
  if (x->transport) {
    /* no peer may still read or write here when memory goes */
    (void)cudaDeviceSynchronize();
    (void)MPI_Barrier(x->context->comm.mpi);
    x->transport->destroy(&x->self, x);
    (void)MPI_Barrier(x->context->comm.mpi);
  }
  if (x->ready) (void)cudaEventDestroy(x->ready);
  for (int i = 0; x->done && i < x->chunks.depth; i++)
    if (x->done[i]) (void)cudaEventDestroy(x->done[i]);
  free(x->done);
  triad_device_give(x->device, (void **)&x->window);
  triad_device_give(x->device, (void **)&x->leaving);
  free(x);
  *exchange = NULL;
}

static void start_in(triad_gpu_exchange *x, int64_t chunk)
{
  if (chunk < x->chunks.count) x->transport->start_in(x->self, x, chunk);
}

void triad_gpu_exchange_begin(triad_gpu_exchange *x, void *stream)
{
  if (!x->transport) return;
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(x->ready, (cudaStream_t)stream)));
  for (int64_t c = 0; c < x->chunks.depth; c++) start_in(x, c);
}

void triad_gpu_exchange_wait(triad_gpu_exchange *x, int64_t chunk, void *stream)
{
  if (x->transport) x->transport->wait_in(x->self, x, chunk, (cudaStream_t)stream);
}

void triad_gpu_exchange_send(triad_gpu_exchange *x, int64_t chunk, void *stream)
{
  if (!x->transport) return;
  triad_gpu_must(x, TRIAD_CU(cudaEventRecord(x->done[chunk % x->chunks.depth], (cudaStream_t)stream)));
  x->transport->start_out(x->self, x, chunk);
  start_in(x, chunk + x->chunks.depth);
}

void triad_gpu_exchange_end(triad_gpu_exchange *x, void *stream)
{
  if (x->transport) x->transport->finish(x->self, x, (cudaStream_t)stream);
}

double triad_gpu_exchange_apart(triad_gpu_exchange *x, int apart)
{
  double copies = x->copies_s;
  x->apart = apart;
  x->copies_s = 0;
  return copies;
}

int64_t triad_gpu_exchange_bytes(const triad_gpu_exchange *x)
{
  const triad_layout *l = x->layout;
  int64_t in = (l->grid.n[2] - l->n_planes) * triad_gpu_columns_padded(l, l->rank) * x->n_in;
  int64_t out = l->n_planes * others(l, l->rank) * x->n_back;
  return l->size > 1 ? (in + out) * (int64_t)sizeof(triad_cplx) : 0;
}
