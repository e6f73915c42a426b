/* Exchange chunks of planes between GPUs, by one message for each peer and chunk, in slots of the work array. */
#include "transpose/gpu_exchange.h"
#include "parallel/transports/messages.h"
#include "base/minmax.h"

#include <stdlib.h>

enum { DEFAULT_DEPTH = 8, CHUNKS_A_SLOT = 4, MESSAGE_BYTES = 4 << 20, FLAG_ALIGN = 256 };
enum { IN, OUT };

struct triad_gpu_exchange {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  triad_gpu_messages *messages; /* NULL for one rank */
  triad_gpu_message *list;      /* [size - 1] of the chunk that is being started */
  triad_gpu_chunks chunks;
  int most_in, most; /* fields inwards; slots of the work array */
  int n_in, slots;   /* of the exchange at hand                 */
  int n_back;        /* fields a plane that come back: slots, or 0 where there are no results */
  int64_t flags;     /* where the transport's flags begin in the window [bytes] */
  char *window;
  triad_cplx *leaving;
  cudaEvent_t ready, *done; /* inputs are available; [depth] results are in their slot */
};

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t triad_gpu_columns_padded(const triad_layout *l, int r)
{
  return (l->column_begin[r + 1] - l->column_begin[r] + 15) / 16 * 16;
}

/* Columns of the ranks before r, less those of `owner`: where r's part of a slot of `owner` begins. */
static int64_t columns_before(const triad_layout *l, int owner, int r)
{
  int64_t before = 0;
  for (int i = 0; i < r; i++)
    if (i != owner) before += triad_gpu_columns_padded(l, i);
  return before;
}

static int64_t others(const triad_layout *l, int p) { return columns_before(l, p, l->size); }

/* Numbers of a field and plane in the smallest message, about: of columns, or of lines within a group. The same on
 * all ranks. */
static int64_t message_numbers(const triad_layout *l)
{
  const int64_t rows = (l->grid.kmax[0] / l->group + 1) * (l->grid.n[1] / l->group + 1);
  return l->group == 1 || (l->size > 1 && l->even_columns < rows) ? l->even_columns : rows;
}

/* Chunks small enough that the first and the last, which overlap with nothing, are a small share, and large enough that
 * a message is worth its start-up. With one rank nothing travels: a chunk a stream. */
static triad_gpu_chunks choose_chunks(const triad_layout *l, int most, int nstreams)
{
  const int many = l->size > 1 || l->group > 1;
  int64_t planes = divide_up(l->grid.n[2], l->size), depth = nstreams;
  if (depth <= 0) depth = many ? DEFAULT_DEPTH : 1;
  int64_t chunk = divide_up(planes, depth);
  if (many) {
    int64_t message = message_numbers(l) * most * (int64_t)sizeof(triad_cplx);
    chunk = triad_min_count(
      chunk, triad_max_count(divide_up(planes, CHUNKS_A_SLOT * depth), divide_up(MESSAGE_BYTES, message)));
  }
  triad_gpu_chunks c = {.planes = chunk, .count = divide_up(planes, chunk)};
  c.depth = (int)triad_min_count(depth, c.count);
  return c;
}

void triad_gpu_exchange_needs(const triad_layout *l, int most_in, int most_out, int nstreams, triad_gpu_chunks *chunks,
                              int64_t *work_bytes, int64_t *buffer_bytes)
{
  int64_t cplx = (int64_t)sizeof(triad_cplx), most = triad_max_count(most_in, most_out);
  *chunks = choose_chunks(l, (int)most, nstreams);
  *work_bytes = l->grid.n[2] * most * triad_gpu_columns_padded(l, l->rank) * cplx;
  *buffer_bytes = chunks->depth * chunks->planes * others(l, l->rank) * (most_in + most) * cplx;
}

/* Others wait for this: there is no way back. */
static void must(const triad_gpu_exchange *x, int status) { triad_must(&x->context->comm, status); }

/* All in complex numbers: a slot of rank p for n fields; the message between rank r (columns) and p (planes). */
static int64_t slot_size(const triad_gpu_exchange *x, int p, int n)
{
  return x->chunks.planes * others(x->layout, p) * n;
}

void triad_gpu_exchange_planes(const triad_gpu_exchange *x, int r, int64_t chunk, int64_t *begin, int64_t *end)
{
  int64_t planes = x->layout->plane_begin[r + 1] - x->layout->plane_begin[r];
  *begin = triad_min_count(chunk * x->chunks.planes, planes);
  *end = triad_min_count(*begin + x->chunks.planes, planes);
}

static int64_t part_size(const triad_gpu_exchange *x, int r, int p, int64_t chunk, int n)
{
  int64_t begin, end;
  triad_gpu_exchange_planes(x, p, chunk, &begin, &end);
  return (end - begin) * n * triad_gpu_columns_padded(x->layout, r);
}

/* Place in the work array of rank r of chunk `chunk` of rank p; place in p's window of what r sent. */
static int64_t work_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk)
{
  int64_t begin, end;
  triad_gpu_exchange_planes(x, p, chunk, &begin, &end);
  return (x->layout->plane_begin[p] + begin) * x->slots * triad_gpu_columns_padded(x->layout, r);
}

static int64_t arrived_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk)
{
  const triad_layout *l = x->layout;
  int64_t work = l->grid.n[2] * x->most * triad_gpu_columns_padded(l, p);
  int64_t slot = chunk % x->chunks.depth * slot_size(x, p, x->most_in);
  return work + slot + columns_before(l, p, r) * x->chunks.planes * x->n_in;
}

void triad_gpu_exchange_fields(triad_gpu_exchange *x, int n_in, int n_out)
{
  x->n_in = n_in;
  x->slots = n_in > n_out ? n_in : n_out;
  x->n_back = n_out > 0 ? x->slots : 0;
}

triad_gpu_messages *triad_gpu_exchange_messages(const triad_gpu_exchange *x) { return x->messages; }

triad_cplx *triad_gpu_exchange_work(const triad_gpu_exchange *x) { return (triad_cplx *)(void *)x->window; }
triad_gpu_chunks triad_gpu_exchange_chunks(const triad_gpu_exchange *x) { return x->chunks; }

const char *triad_gpu_exchange_name(const triad_gpu_exchange *x)
{
  return x->messages ? triad_transport_name(triad_gpu_messages_transport(x->messages)) : "none";
}

triad_cplx *triad_gpu_exchange_own(const triad_gpu_exchange *x, int64_t chunk)
{
  return triad_gpu_exchange_work(x) + work_place(x, x->layout->rank, x->layout->rank, chunk);
}

triad_cplx *triad_gpu_exchange_arrived(const triad_gpu_exchange *x, int64_t chunk)
{
  return triad_gpu_exchange_work(x) + arrived_place(x, 0, x->layout->rank, chunk);
}

triad_cplx *triad_gpu_exchange_leaving(const triad_gpu_exchange *x, int64_t chunk)
{
  return x->leaving + chunk % x->chunks.depth * slot_size(x, x->layout->rank, x->most);
}

static int allocate_slots(triad_gpu_exchange *x, int nstreams, int most_out)
{
  const triad_layout *l = x->layout;
  int64_t work, buffers, cplx = (int64_t)sizeof(triad_cplx);
  triad_gpu_exchange_needs(l, x->most_in, most_out, nstreams, &x->chunks, &work, &buffers);
  int64_t arrived = x->chunks.depth * slot_size(x, l->rank, x->most_in) * cplx;
  x->flags = divide_up(work + arrived, FLAG_ALIGN) * FLAG_ALIGN;
  TRIAD_TRY(triad_device_alloc(x->device, "work columns and what arrives",
                               x->flags + triad_gpu_messages_flags_bytes(l->size), 1, (void **)&x->window));
  TRIAD_TRY(triad_device_alloc(x->device, "what leaves", x->chunks.depth * slot_size(x, l->rank, x->most),
                               sizeof(triad_cplx), (void **)&x->leaving));
  x->done = calloc((size_t)x->chunks.depth, sizeof *x->done);
  x->list = calloc((size_t)l->size, sizeof *x->list);
  if (!x->done || !x->list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", x->chunks.depth);
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->ready, cudaEventDisableTiming)));
  for (int i = 0; i < x->chunks.depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->done[i], cudaEventDisableTiming)));
  return triad_device_wait(x->device); /* flags are zero before a peer can count in them */
}

/* Peers in the order rank+1, rank+2, ..: no rank is everybody's first. */
static int peer(const triad_gpu_exchange *x, int step) { return (x->layout->rank + step) % x->layout->size; }

static int make_messages(triad_gpu_exchange *x, const char *transport)
{
  const triad_layout *l = x->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx);
  /* what a slot's chunk takes on the side of the columns, of n fields, is columns * n */
  const int64_t columns = (l->size - 1) * x->chunks.planes * triad_gpu_columns_padded(l, l->rank) * cplx;
  int *peers = calloc((size_t)l->size, sizeof *peers);
  int st = triad_agree(&x->context->comm, peers ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d peers", l->size));
  if (st == TRIAD_OK) {
    for (int step = 1; step < l->size; step++) peers[step - 1] = peer(x, step);
    triad_gpu_messages_shape shape = {.peer = peers,
                                      .n_peers = l->size - 1,
                                      .channels = 2,
                                      .depth = x->chunks.depth,
                                      .window = x->window,
                                      .flags = x->flags};
    shape.send_bytes[IN] = columns * x->most_in;
    shape.receive_bytes[IN] = slot_size(x, l->rank, x->most_in) * cplx;
    shape.send_bytes[OUT] = slot_size(x, l->rank, x->most) * cplx;
    shape.receive_bytes[OUT] = columns * x->most;
    st = triad_gpu_messages_create(&x->messages, x->context, x->device, transport, &shape);
  }
  free(peers);
  return st;
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
    st = allocate_slots(x, options->nstreams, most_out);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK && layout->size > 1) st = make_messages(x, options->transport);
  if (st != TRIAD_OK) triad_gpu_exchange_destroy(out);
  return st;
}

void triad_gpu_exchange_destroy(triad_gpu_exchange **exchange)
{
  if (!exchange || !*exchange) return;
  triad_gpu_exchange *x = *exchange;
  triad_gpu_messages_destroy(&x->messages);
  if (x->ready) (void)cudaEventDestroy(x->ready);
  for (int i = 0; x->done && i < x->chunks.depth; i++)
    if (x->done[i]) (void)cudaEventDestroy(x->done[i]);
  free(x->done);
  free(x->list);
  triad_device_free(x->device, (void **)&x->window);
  triad_device_free(x->device, (void **)&x->leaving);
  free(x);
  *exchange = NULL;
}

/* Inwards: this rank's columns of the chunk go to the owners of the planes, and theirs of this rank's planes come. */
static void list_inputs(triad_gpu_exchange *x, int64_t chunk)
{
  const int64_t cplx = (int64_t)sizeof(triad_cplx);
  triad_cplx *work = triad_gpu_exchange_work(x);
  int rank = x->layout->rank;
  for (int step = 1; step < x->layout->size; step++) {
    int r = peer(x, step);
    x->list[step - 1] = (triad_gpu_message){.send = work + work_place(x, rank, r, chunk),
                                            .send_bytes = part_size(x, rank, r, chunk, x->n_in) * cplx,
                                            .receive = work + arrived_place(x, r, rank, chunk),
                                            .receive_bytes = part_size(x, r, rank, chunk, x->n_in) * cplx,
                                            .there = arrived_place(x, rank, r, chunk) * cplx};
  }
}

/* Back: results for each rank's columns leave their slot, and those for this rank's come to where its inputs were. */
static void list_results(triad_gpu_exchange *x, int64_t chunk)
{
  const int64_t cplx = (int64_t)sizeof(triad_cplx);
  triad_cplx *work = triad_gpu_exchange_work(x), *leaving = triad_gpu_exchange_leaving(x, chunk);
  int rank = x->layout->rank;
  for (int step = 1; step < x->layout->size; step++) {
    int r = peer(x, step);
    x->list[step - 1] =
      (triad_gpu_message){.send = leaving + columns_before(x->layout, rank, r) * x->chunks.planes * x->slots,
                          .send_bytes = part_size(x, r, rank, chunk, x->n_back) * cplx,
                          .receive = work + work_place(x, rank, r, chunk),
                          .receive_bytes = part_size(x, rank, r, chunk, x->n_back) * cplx,
                          .there = work_place(x, r, rank, chunk) * cplx};
  }
}

static void start_in(triad_gpu_exchange *x, int64_t chunk)
{
  int64_t depth = x->chunks.depth;
  if (chunk >= x->chunks.count) return;
  list_inputs(x, chunk);
  triad_gpu_messages_start(x->messages, IN, chunk, x->list, chunk == 0 ? x->ready : NULL,
                           chunk >= depth ? x->done[chunk % depth] : NULL);
}

void triad_gpu_exchange_begin(triad_gpu_exchange *x, void *stream)
{
  if (!x->messages) return;
  must(x, TRIAD_CU(cudaEventRecord(x->ready, (cudaStream_t)stream)));
  for (int64_t c = 0; c < x->chunks.depth; c++) start_in(x, c);
}

void triad_gpu_exchange_wait(triad_gpu_exchange *x, int64_t chunk, void *stream)
{
  if (!x->messages) return;
  triad_gpu_messages_wait(x->messages, chunk, (cudaStream_t)stream);
  /* the slot of results is filled next: the earlier ones must have left it */
  if (chunk >= x->chunks.depth) triad_gpu_messages_left(x->messages, chunk - x->chunks.depth, (cudaStream_t)stream);
}

void triad_gpu_exchange_send(triad_gpu_exchange *x, int64_t chunk, void *stream)
{
  if (!x->messages) return;
  cudaEvent_t done = x->done[chunk % x->chunks.depth];
  must(x, TRIAD_CU(cudaEventRecord(done, (cudaStream_t)stream)));
  list_results(x, chunk);
  triad_gpu_messages_start(x->messages, OUT, chunk, x->list, done, NULL);
  start_in(x, chunk + x->chunks.depth);
}

void triad_gpu_exchange_end(triad_gpu_exchange *x, void *stream)
{
  if (x->messages) triad_gpu_messages_finish(x->messages, x->chunks.count, (cudaStream_t)stream);
}

double triad_gpu_exchange_apart(triad_gpu_exchange *x, int apart)
{
  return x->messages ? triad_gpu_messages_apart(x->messages, apart) : 0;
}

int64_t triad_gpu_exchange_bytes(const triad_gpu_exchange *x)
{
  const triad_layout *l = x->layout;
  int64_t in = (l->grid.n[2] - l->n_planes) * triad_gpu_columns_padded(l, l->rank) * x->n_in;
  int64_t out = l->n_planes * others(l, l->rank) * x->n_back;
  return l->size > 1 ? (in + out) * (int64_t)sizeof(triad_cplx) : 0;
}
