/* Halo exchange between GPUs (gpu_halo.h): buffers, launches of the packing kernels, messages. */
#include "grid/fields/gpu_halo.h"
#include "grid/gpu_halo_copy.h"
#include "parallel/transports/messages.h"
#include "parallel/transports/windows.h"

#include <stdlib.h>

enum { FLAG_ALIGN = 256 };

/* Runs that are copied together: as many launches as they need, one as a rule. */
typedef struct copies {
  triad_gpu_halo_list *list;
  int n;
} copies;

struct triad_gpu_halo {
  triad_context *context;
  triad_device *device;
  triad_exchange_plan *plan;
  int most_fields;
  copies pack, unpack, within;
  int64_t *lists;               /* on the device: all index lists of the plan, one after another */
  int64_t list_places;          /* how many places they have; while the copies are made, those before the next */
  char *leaving, *arrived;      /* [peer][field][numbers]; behind what arrives, the transport's flags */
  triad_gpu_messages *messages; /* NULL: nobody to exchange with */
  triad_gpu_message *list;      /* [peer] */
  int64_t *there;               /* [peer] numbers of a field before this rank's message in what arrives there */
  cudaEvent_t packed, read;
};

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

/* ---- copies ---- */

static int add_run(copies *c, const triad_exchange_run *run, triad_gpu_halo_run **out)
{
  int64_t all = triad_exchange_run_count(run);
  int unused;
  TRIAD_TRY(triad_narrow(all, &unused)); /* kernels count the numbers of a run by 32 bits */
  if (c->n == 0 || c->list[c->n - 1].n == TRIAD_GPU_HALO_RUNS) {
    triad_gpu_halo_list *more = realloc(c->list, (size_t)(c->n + 1) * sizeof *more);
    if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "runs of a halo");
    c->list = more;
    c->list[c->n++] = (triad_gpu_halo_list){.n = 0};
  }
  triad_gpu_halo_list *list = &c->list[c->n - 1];
  triad_gpu_halo_run *r = *out = &list->run[list->n++];
  *r = (triad_gpu_halo_run){.all = (uint32_t)all, .first_block = list->blocks};
  for (int i = 0; i < 3; i++) r->count[i] = (uint32_t)run->count[i];
  list->blocks += (uint32_t)((all + TRIAD_GPU_HALO_BLOCK - 1) / TRIAD_GPU_HALO_BLOCK);
  return TRIAD_OK;
}

/* A run's places as a kernel finds them: its list goes behind those before it. */
static int set_places(triad_gpu_halo *h, const triad_exchange_run *run, triad_gpu_places *out)
{
  *out = (triad_gpu_places){.first = run->first, .stride = {run->stride[0], run->stride[1], run->stride[2]}};
  if (!run->list) return TRIAD_OK;
  int64_t *lists = h->lists + h->list_places;
  out->list = lists;
  h->list_places += run->count[0];
  return triad_device_put(h->device, lists, run->list, run->count[0] * (int64_t)sizeof *lists);
}

static int add_message(triad_gpu_halo *h, copies *c, const triad_exchange_run *runs, int n, int64_t before,
                       int64_t numbers)
{
  int64_t within = 0;
  for (int i = 0; i < n; i++) {
    triad_gpu_halo_run *r;
    TRIAD_TRY(add_run(c, &runs[i], &r));
    TRIAD_TRY(set_places(h, &runs[i], &r->here));
    r->before = before;
    r->numbers = numbers;
    r->within = within;
    within += r->all;
  }
  return TRIAD_OK;
}

static int64_t places_of(const triad_exchange_run *runs, int n)
{
  int64_t places = 0;
  for (int i = 0; i < n; i++) places += runs[i].list ? runs[i].count[0] : 0;
  return places;
}

static int make_copies(triad_gpu_halo *h)
{
  const triad_exchange_plan *p = h->plan;
  int64_t places = places_of(p->send, p->n_send) + places_of(p->receive, p->n_receive) +
                   places_of(p->from, p->n_copies) + places_of(p->to, p->n_copies);
  if (places > 0)
    TRIAD_TRY(triad_device_alloc(h->device, "index lists of halos", places, sizeof *h->lists, (void **)&h->lists));
  for (int i = 0; i < p->n_peers; i++) {
    const triad_exchange_peer *e = &p->peer[i];
    TRIAD_TRY(add_message(h, &h->pack, p->send + e->first_send, e->n_send, e->sent_before, e->sent));
    TRIAD_TRY(add_message(h, &h->unpack, p->receive + e->first_receive, e->n_receive, e->received_before, e->received));
  }
  for (int i = 0; i < p->n_copies; i++) {
    triad_gpu_halo_run *r;
    TRIAD_TRY(add_run(&h->within, &p->to[i], &r));
    TRIAD_TRY(set_places(h, &p->to[i], &r->here));
    TRIAD_TRY(set_places(h, &p->from[i], &r->from));
  }
  return TRIAD_OK;
}

/* ---- making it ---- */

static int64_t window_bytes(int64_t received, int ranks)
{
  return round_up(round_up(received, FLAG_ALIGN) + triad_gpu_messages_flags_bytes(ranks), TRIAD_GPU_WINDOW_PIECE);
}

static int create_buffers(triad_gpu_halo *h, int n_fields)
{
  const triad_exchange_plan *p = h->plan;
  int64_t sent = p->sent * n_fields * (int64_t)sizeof(triad_real);
  int64_t received = p->received * n_fields * (int64_t)sizeof(triad_real);
  if (n_fields < 1 || n_fields > TRIAD_GPU_HALO_FIELDS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "halos of %d fields", n_fields);
  TRIAD_TRY(make_copies(h));
  if (h->context->comm.size == 1) return TRIAD_OK;
  h->list = calloc((size_t)p->n_peers + 1, sizeof *h->list);
  h->there = calloc((size_t)h->context->comm.size, sizeof *h->there);
  if (!h->list || !h->there) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages to %d peers", p->n_peers);
  TRIAD_TRY(triad_device_alloc(h->device, "messages that leave", sent, 1, (void **)&h->leaving));
  TRIAD_TRY(triad_device_alloc(h->device, "messages that arrive", window_bytes(received, h->context->comm.size), 1,
                               (void **)&h->arrived));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&h->packed, cudaEventDisableTiming)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&h->read, cudaEventDisableTiming)));
  return triad_device_wait(h->device); /* flags are zero before a peer can count in them */
}

/* Exchange message offsets: each rank sends every peer the offset at which it receives that peer's message.
 * Collective. */
static int ask_where(triad_gpu_halo *h)
{
  const triad_exchange_plan *p = h->plan;
  const triad_comm *comm = &h->context->comm;
  int64_t *here = calloc((size_t)comm->size, sizeof *here);
  int st = triad_agree(comm, here ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "offsets of %d messages", comm->size));
  if (st == TRIAD_OK) {
    int64_t *all = h->there;
    for (int i = 0; i < p->n_peers; i++) here[p->peer[i].rank] = p->peer[i].received_before;
    st = triad_agree(comm, TRIAD_MPI(MPI_Alltoall(here, 1, MPI_INT64_T, all, 1, MPI_INT64_T, comm->mpi)));
    for (int i = 0; st == TRIAD_OK && i < p->n_peers; i++) here[i] = all[p->peer[i].rank];
    for (int i = 0; st == TRIAD_OK && i < p->n_peers; i++) all[i] = here[i];
  }
  free(here);
  return st;
}

static int make_messages(triad_gpu_halo *h, const char *transport)
{
  const triad_exchange_plan *p = h->plan;
  const int64_t each = h->most_fields * (int64_t)sizeof(triad_real);
  TRIAD_TRY(ask_where(h));
  int *peers = calloc((size_t)p->n_peers + 1, sizeof *peers);
  int st = triad_agree(&h->context->comm, peers ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d peers", p->n_peers));
  if (st == TRIAD_OK) {
    for (int i = 0; i < p->n_peers; i++) peers[i] = p->peer[i].rank;
    triad_gpu_messages_shape shape = {.peer = peers,
                                      .n_peers = p->n_peers,
                                      .channels = 1,
                                      .depth = 1,
                                      .window = h->arrived,
                                      .send_bytes = {p->sent * each},
                                      .receive_bytes = {p->received * each},
                                      .flags = round_up(p->received * each, FLAG_ALIGN)};
    st = triad_gpu_messages_create(&h->messages, h->context, h->device, transport, &shape);
  }
  free(peers);
  return st;
}

int triad_gpu_halo_create(triad_gpu_halo **out, triad_context *context, triad_device *device,
                          triad_exchange_plan **plan, int n_fields, const char *transport)
{
  triad_gpu_halo *h = *out = calloc(1, sizeof *h);
  int st = triad_agree(&context->comm, h ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the halo exchange of a GPU"));
  if (st == TRIAD_OK) st = triad_exchange_plan_close(*plan, &context->comm);
  if (st == TRIAD_OK) {
    h->context = context;
    h->device = device;
    h->most_fields = n_fields;
    h->plan = *plan;
    *plan = NULL;
    st = triad_agree(&context->comm, create_buffers(h, n_fields));
  }
  triad_exchange_plan_destroy(plan);
  if (st == TRIAD_OK && context->comm.size > 1) st = make_messages(h, transport);
  if (st != TRIAD_OK) triad_gpu_halo_destroy(out);
  return st;
}

int triad_gpu_halo_create_of(triad_gpu_halo **out, triad_context *context, triad_device *device,
                             const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach,
                             const char *transport)
{
  triad_exchange_plan *plan = NULL;
  *out = NULL;
  int st = triad_agree(&context->comm, triad_halo_plan_create(&plan, blocks, width, reach));
  if (st == TRIAD_OK) return triad_gpu_halo_create(out, context, device, &plan, n_fields, transport);
  triad_exchange_plan_destroy(&plan);
  return st;
}

void triad_gpu_halo_destroy(triad_gpu_halo **halo)
{
  if (!halo || !*halo) return;
  triad_gpu_halo *h = *halo;
  triad_gpu_messages_destroy(&h->messages);
  if (h->packed) (void)cudaEventDestroy(h->packed);
  if (h->read) (void)cudaEventDestroy(h->read);
  if (h->device) {
    triad_device_free(h->device, (void **)&h->leaving);
    triad_device_free(h->device, (void **)&h->arrived);
    triad_device_free(h->device, (void **)&h->lists);
  }
  free(h->pack.list);
  free(h->unpack.list);
  free(h->within.list);
  free(h->list);
  free(h->there);
  triad_exchange_plan_destroy(&h->plan);
  free(h);
  *halo = NULL;
}

/* ---- an exchange ---- */

static void must(const triad_gpu_halo *h, int status) { triad_must(&h->context->comm, status); }

/* The fields of the exchange at hand. */
static void use(copies *c, triad_real *const *fields, int n_fields)
{
  for (int i = 0; i < c->n; i++) {
    c->list[i].n_fields = n_fields;
    for (int f = 0; f < n_fields; f++) c->list[i].field[f] = fields[f];
  }
}

static void copy(const triad_gpu_halo *h, const copies *c, triad_gpu_halo_way way, char *buffer, void *stream)
{
  for (int i = 0; i < c->n; i++) must(h, triad_gpu_halo_copy(&c->list[i], way, (triad_real *)(void *)buffer, stream));
}

static void start_messages(triad_gpu_halo *h, int n_fields, void *stream)
{
  const triad_exchange_plan *p = h->plan;
  const int64_t each = n_fields * (int64_t)sizeof(triad_real);
  for (int i = 0; i < p->n_peers; i++) {
    const triad_exchange_peer *e = &p->peer[i];
    h->list[i] = (triad_gpu_message){.send = h->leaving + e->sent_before * each,
                                     .send_bytes = e->sent * each,
                                     .receive = h->arrived + e->received_before * each,
                                     .receive_bytes = e->received * each,
                                     .there = h->there[i] * each};
  }
  must(h, TRIAD_CU(cudaEventRecord(h->packed, (cudaStream_t)stream)));
  triad_gpu_messages_start(h->messages, 0, 0, h->list, h->packed, h->read);
}

void triad_gpu_halo_begin(triad_gpu_halo *h, triad_real *const *fields, int n_fields, void *stream)
{
  if (n_fields < 1 || n_fields > h->most_fields)
    must(h, TRIAD_FAIL(TRIAD_ERR_INTERNAL, "an exchange of %d fields, made for %d", n_fields, h->most_fields));
  use(&h->pack, fields, n_fields);
  use(&h->unpack, fields, n_fields);
  use(&h->within, fields, n_fields);
  if (h->messages) {
    copy(h, &h->pack, TRIAD_GPU_HALO_PACK, h->leaving, stream);
    start_messages(h, n_fields, stream);
  }
  copy(h, &h->within, TRIAD_GPU_HALO_WITHIN, NULL, stream);
}

void triad_gpu_halo_end(triad_gpu_halo *h, void *stream)
{
  if (!h->messages) return;
  triad_gpu_messages_finish(h->messages, 1, (cudaStream_t)stream);
  copy(h, &h->unpack, TRIAD_GPU_HALO_UNPACK, h->arrived, stream);
  must(h, TRIAD_CU(cudaEventRecord(h->read, (cudaStream_t)stream)));
  triad_gpu_messages_read(h->messages, (cudaStream_t)stream);
}

int64_t triad_gpu_halo_bytes(const triad_gpu_halo *h, int n_fields)
{
  return h->plan->sent * n_fields * (int64_t)sizeof(triad_real);
}

int64_t triad_gpu_halo_needs(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach)
{
  int64_t bytes = triad_halo_plan_points(blocks, width, reach) * n_fields * (int64_t)sizeof(triad_real);
  return blocks->size > 1 ? bytes + window_bytes(bytes, blocks->size) : 0;
}

const char *triad_gpu_halo_transport(const triad_gpu_halo *h)
{
  return h->messages ? triad_transport_name(triad_gpu_messages_transport(h->messages)) : "none";
}

int triad_gpu_halo_is_direct(const triad_gpu_halo *h)
{
  return h->messages && triad_gpu_messages_transport(h->messages) == TRIAD_TRANSPORT_IPC;
}
