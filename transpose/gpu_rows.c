/* Exchange rows and lines of planes within a group of GPUs that share planes. */
#include "transpose/gpu_rows.h"
#include "parallel/context.h"
#include "parallel/transports/messages.h"

#include <stdlib.h>

enum { FLAG_ALIGN = 256, CACHE_LINE = 8 }; /* CACHE_LINE: complex numbers, of 64 bytes or more */
enum { IN, OUT };

struct triad_gpu_rows {
  triad_context *group;
  triad_device *device;
  const triad_layout *layout;
  triad_gpu_messages *messages;
  triad_gpu_message *list; /* [group - 1] of the chunk that is being started */
  triad_gpu_chunks chunks;
  int most, n_in, n_out; /* fields: at most; of the pass at hand */
  int64_t flags;         /* where the transport's flags begin in the window [bytes] */
  char *window;
  int64_t *places;           /* [2][kx_most + 1] of values, of results */
  cudaEvent_t *lined, *done; /* [depth] lines are available; results are complete */
};

/* All in complex numbers. */
int64_t triad_gpu_rows_pitch(const triad_layout *l)
{
  int64_t most = 0;
  for (int m = 0; m < l->group; m++)
    if (triad_split_lines(l->split, m) > most) most = triad_split_lines(l->split, m);
  return (most + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* Sizes for a slot of member m and `most` fields: its lines, and the data that it receives. */
static int64_t lines_size(const triad_layout *l, const triad_gpu_chunks *c, int most)
{
  return c->planes * most * l->grid.n[1] * triad_gpu_rows_pitch(l);
}

static int64_t rows_size(const triad_layout *l, const triad_gpu_chunks *c, int m, int most)
{
  return c->planes * most * triad_split_rows(l->split, m) * (l->group - 1) * triad_gpu_rows_pitch(l);
}

static int64_t slot_size(const triad_layout *l, const triad_gpu_chunks *c, int m, int most)
{
  return lines_size(l, c, most) + 2 * rows_size(l, c, m, most);
}

int64_t triad_gpu_rows_needs(const triad_layout *l, const triad_gpu_chunks *c, int most_in, int most_out)
{
  return c->depth * slot_size(l, c, l->member, most_in > most_out ? most_in : most_out) * (int64_t)sizeof(triad_cplx) +
         triad_gpu_messages_flags_bytes(l->group) + 2 * (l->grid.kmax[0] + 1) * (int64_t)sizeof(int64_t);
}

int64_t triad_gpu_rows_apart(const triad_gpu_rows *x) { return x->chunks.planes * x->most; }

int triad_gpu_rows_behind(const triad_gpu_rows *x) { return x->n_out > x->n_in ? x->n_out - x->n_in : 0; }

/* Where in a slot of member m its lines for q begin; what came from q, for as many fields as there is room for; and
 * what goes to q. */
static int64_t lines_place(const triad_gpu_rows *x, int q)
{
  return x->layout->split->y_begin[q] * triad_gpu_rows_apart(x) * triad_gpu_rows_pitch(x->layout);
}

static int64_t arrived_place(const triad_gpu_rows *x, int m, int q)
{
  const triad_layout *l = x->layout;
  return lines_size(l, &x->chunks, x->most) +
         (q < m ? q : q - 1) * triad_split_rows(l->split, m) * triad_gpu_rows_apart(x) * triad_gpu_rows_pitch(l);
}

static int64_t leaving_place(const triad_gpu_rows *x, int m, int q)
{
  return arrived_place(x, m, q) + rows_size(x->layout, &x->chunks, m, x->most);
}

static int64_t slot_begin(const triad_gpu_rows *x, int m, int64_t chunk)
{
  return chunk % x->chunks.depth * slot_size(x->layout, &x->chunks, m, x->most);
}

triad_cplx *triad_gpu_rows_lines(const triad_gpu_rows *x, int64_t chunk)
{
  return (triad_cplx *)(void *)x->window + slot_begin(x, x->layout->member, chunk);
}

triad_cplx *triad_gpu_rows_own(const triad_gpu_rows *x, int64_t chunk)
{
  return triad_gpu_rows_lines(x, chunk) + lines_place(x, x->layout->member);
}

const int64_t *triad_gpu_rows_from(const triad_gpu_rows *x) { return x->places; }
const int64_t *triad_gpu_rows_to(const triad_gpu_rows *x) { return x->places + x->layout->grid.kmax[0] + 1; }

/* ---- made and destroyed ---- */

static int make_places(triad_gpu_rows *x)
{
  const triad_layout *l = x->layout;
  const triad_split *s = l->split;
  const int64_t n = l->grid.kmax[0] + 1, own = lines_place(x, l->member);
  int64_t *host = calloc((size_t)(2 * n), sizeof *host);
  int st = host ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "offsets of kx");
  for (int64_t k = 0; host && k < n; k++) {
    const int m = s->member_of[k];
    host[k] = s->line_of[k] + (m == l->member ? 0 : arrived_place(x, l->member, m) - own);
    host[n + k] = s->line_of[k] + (m == l->member ? 0 : leaving_place(x, l->member, m) - own);
  }
  if (st == TRIAD_OK)
    st = triad_device_table(x->device, "offsets of kx", 2 * n, sizeof *host, host, (void **)&x->places);
  free(host);
  return st;
}

static int allocate_slots(triad_gpu_rows *x)
{
  const size_t depth = (size_t)x->chunks.depth;
  const int64_t slots =
    x->chunks.depth * slot_size(x->layout, &x->chunks, x->layout->member, x->most) * (int64_t)sizeof(triad_cplx);
  x->flags = (slots + FLAG_ALIGN - 1) / FLAG_ALIGN * FLAG_ALIGN;
  TRIAD_TRY(triad_device_alloc(x->device, "lines of groups, what arrives and what leaves",
                               x->flags + triad_gpu_messages_flags_bytes(x->layout->group), 1, (void **)&x->window));
  TRIAD_TRY(make_places(x));
  x->list = calloc((size_t)x->layout->group, sizeof *x->list);
  x->lined = calloc(2 * depth, sizeof(cudaEvent_t));
  if (!x->list || !x->lined) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", x->chunks.depth);
  x->done = x->lined + depth;
  for (size_t i = 0; i < 2 * depth; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->lined[i], cudaEventDisableTiming)));
  return triad_device_wait(x->device); /* flags are zero before a peer can count in them */
}

/* Peers in the order member + 1, member + 2, ..: none is everybody's first. */
static int peer(const triad_gpu_rows *x, int step) { return (x->layout->member + step) % x->layout->group; }

static int make_messages(triad_gpu_rows *x, const char *transport)
{
  const triad_layout *l = x->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), lines = lines_size(l, &x->chunks, x->most) * cplx,
                rows = rows_size(l, &x->chunks, l->member, x->most) * cplx;
  int *peers = calloc((size_t)l->group, sizeof *peers);
  int st = triad_agree(&x->group->comm, peers ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d peers", l->group));
  if (st == TRIAD_OK) {
    for (int step = 1; step < l->group; step++) peers[step - 1] = peer(x, step);
    triad_gpu_messages_shape shape = {.peer = peers,
                                      .n_peers = l->group - 1,
                                      .channels = 2,
                                      .depth = x->chunks.depth,
                                      .send_bytes = {lines, rows},
                                      .receive_bytes = {rows, lines},
                                      .window = x->window,
                                      .flags = x->flags};
    st = triad_gpu_messages_create(&x->messages, x->group, x->device, transport, &shape);
  }
  free(peers);
  return st;
}

int triad_gpu_rows_create(triad_gpu_rows **out, triad_context *group, triad_device *device, const triad_layout *layout,
                          const triad_gpu_chunks *chunks, int most_in, int most_out, const char *transport)
{
  triad_gpu_rows *x = *out = calloc(1, sizeof *x);
  int st = x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of a group");
  if (x) {
    x->group = group;
    x->device = device;
    x->layout = layout;
    x->chunks = *chunks;
    x->most = most_in > most_out ? most_in : most_out;
    triad_gpu_rows_fields(x, most_in, most_out);
    st = allocate_slots(x);
  }
  st = triad_agree(&group->comm, st);
  if (st == TRIAD_OK) st = make_messages(x, transport);
  if (st != TRIAD_OK) triad_gpu_rows_destroy(out);
  return st;
}

void triad_gpu_rows_destroy(triad_gpu_rows **rows)
{
  if (!rows || !*rows) return;
  triad_gpu_rows *x = *rows;
  triad_gpu_messages_destroy(&x->messages);
  for (int i = 0; x->lined && i < 2 * x->chunks.depth; i++)
    if (x->lined[i]) (void)cudaEventDestroy(x->lined[i]);
  free(x->lined);
  free(x->list);
  triad_device_free(x->device, (void **)&x->window);
  triad_device_free(x->device, (void **)&x->places);
  free(x);
  *rows = NULL;
}

void triad_gpu_rows_beside(triad_gpu_rows *x, triad_gpu_messages *others_messages)
{
  triad_gpu_messages_beside(x->messages, others_messages);
  if (others_messages) triad_gpu_messages_beside(others_messages, x->messages);
}

void triad_gpu_rows_fields(triad_gpu_rows *x, int n_in, int n_out)
{
  x->n_in = n_in;
  x->n_out = n_out;
}

const char *triad_gpu_rows_name(const triad_gpu_rows *x)
{
  return triad_transport_name(triad_gpu_messages_transport(x->messages));
}

/* ---- messages ---- */

/* Between the part of q in this member's lines and the part of this member in what q has of rows. */
static void list_messages(triad_gpu_rows *x, int channel, int64_t chunk, int64_t planes)
{
  const triad_layout *l = x->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), plane = planes * triad_gpu_rows_pitch(l),
                n = plane * (channel == IN ? x->n_in : x->n_out),
                free = channel == IN ? plane * triad_gpu_rows_behind(x) : 0;
  const int m = l->member;
  triad_cplx *mine = triad_gpu_rows_lines(x, chunk);
  for (int step = 1; step < l->group; step++) {
    const int q = peer(x, step);
    const int64_t my_rows = triad_split_rows(l->split, m), rows = triad_split_rows(l->split, q);
    triad_cplx *lines = mine + lines_place(x, q) + free * rows;
    x->list[step - 1] =
      channel == IN
        ? (triad_gpu_message){.send = lines,
                              .send_bytes = n * rows * cplx,
                              .receive = mine + arrived_place(x, m, q) + free * my_rows,
                              .receive_bytes = n * my_rows * cplx,
                              .there = (slot_begin(x, q, chunk) + arrived_place(x, q, m) + free * rows) * cplx}
        : (triad_gpu_message){.send = mine + leaving_place(x, m, q),
                              .send_bytes = n * my_rows * cplx,
                              .receive = lines,
                              .receive_bytes = n * rows * cplx,
                              .there = (slot_begin(x, q, chunk) + lines_place(x, m)) * cplx};
  }
}

static void start(triad_gpu_rows *x, int channel, int64_t chunk, int64_t planes, cudaEvent_t ready, cudaEvent_t read,
                  void *stream)
{
  triad_must(&x->group->comm, TRIAD_CU(cudaEventRecord(ready, (cudaStream_t)stream)));
  list_messages(x, channel, chunk, planes);
  triad_gpu_messages_start(x->messages, channel, chunk, x->list, ready, read);
}

void triad_gpu_rows_start_in(triad_gpu_rows *x, int64_t chunk, int64_t planes, void *stream)
{
  const int64_t slot = chunk % x->chunks.depth;
  start(x, IN, chunk, planes, x->lined[slot], chunk >= x->chunks.depth ? x->done[slot] : NULL, stream);
}

void triad_gpu_rows_wait_in(triad_gpu_rows *x, int64_t chunk, void *stream)
{
  triad_gpu_messages_wait(x->messages, chunk, (cudaStream_t)stream);
  /* results are put to where earlier ones left from */
  if (chunk >= x->chunks.depth) triad_gpu_messages_left(x->messages, chunk - x->chunks.depth, (cudaStream_t)stream);
}

void triad_gpu_rows_start_out(triad_gpu_rows *x, int64_t chunk, int64_t planes, void *stream)
{
  start(x, OUT, chunk, planes, x->done[chunk % x->chunks.depth], NULL, stream);
}

void triad_gpu_rows_wait_out(triad_gpu_rows *x, int64_t chunk, void *stream)
{
  triad_gpu_messages_answered(x->messages, chunk, (cudaStream_t)stream);
}

void triad_gpu_rows_end(triad_gpu_rows *x, void *stream)
{
  triad_gpu_messages_finish(x->messages, x->chunks.count, (cudaStream_t)stream);
}

double triad_gpu_rows_timed(triad_gpu_rows *x, int apart) { return triad_gpu_messages_apart(x->messages, apart); }

int64_t triad_gpu_rows_bytes(const triad_gpu_rows *x)
{
  const triad_layout *l = x->layout;
  const int64_t in = x->n_in * (l->grid.n[1] - l->n_y), out = x->n_out * l->n_y * (l->group - 1);
  return l->n_planes * (in + out) * triad_gpu_rows_pitch(l) * (int64_t)sizeof(triad_cplx);
}
