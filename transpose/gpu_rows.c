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
  int most, n_in, n_out;   /* fields: at most; of the pass at hand */
  int64_t flags;           /* where the transport's flags begin in the window [bytes] */
  char *window;
  triad_cplx *leaving;
  triad_gpu_kx *kx;
  cudaEvent_t *lined, *done; /* [depth] lines are there; results are */
};

/* All in complex numbers. */
int64_t triad_gpu_rows_pitch(const triad_layout *l, int m)
{
  return (triad_split_lines(l->split, m) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* Of the members before q, but for m. */
static int64_t pitch_before(const triad_layout *l, int m, int q)
{
  int64_t before = 0;
  for (int i = 0; i < q; i++)
    if (i != m) before += triad_gpu_rows_pitch(l, i);
  return before;
}

static int64_t others(const triad_layout *l, int m) { return pitch_before(l, m, l->group); }

/* A slot of member m: of its lines, and of what comes to it, for so many fields. */
static int64_t lines_slot(const triad_layout *l, const triad_gpu_chunks *c, int m, int most)
{
  return c->planes * most * l->grid.n[1] * triad_gpu_rows_pitch(l, m);
}

static int64_t rows_slot(const triad_layout *l, const triad_gpu_chunks *c, int m, int most)
{
  return c->planes * most * triad_split_rows(l->split, m) * others(l, m);
}

static int64_t sizes_of(const triad_layout *l, const triad_gpu_chunks *c, int most, int64_t *back)
{
  *back = c->depth * rows_slot(l, c, l->member, most);
  return c->depth * (lines_slot(l, c, l->member, most) + rows_slot(l, c, l->member, most));
}

int64_t triad_gpu_rows_needs(const triad_layout *l, const triad_gpu_chunks *c, int most_in, int most_out)
{
  int64_t back;
  const int64_t there = sizes_of(l, c, most_in > most_out ? most_in : most_out, &back);
  return (there + back) * (int64_t)sizeof(triad_cplx) + triad_gpu_messages_flags_bytes(l->group) +
         (l->grid.kmax[0] + 1) * (int64_t)sizeof(triad_gpu_kx);
}

int64_t triad_gpu_rows_apart(const triad_gpu_rows *x) { return x->chunks.planes * x->most; }

/* Where in member m's slot of lines the part of q begins; where in what comes to m, or leaves it. */
static int64_t lines_place(const triad_gpu_rows *x, int m, int q)
{
  return x->layout->split->y_begin[q] * triad_gpu_rows_apart(x) * triad_gpu_rows_pitch(x->layout, m);
}

static int64_t rows_place(const triad_gpu_rows *x, int m, int q)
{
  return pitch_before(x->layout, m, q) * triad_split_rows(x->layout->split, m) * triad_gpu_rows_apart(x);
}

/* Where the slot of a chunk begins in m's window: of lines, of what has arrived. */
static int64_t lines_begin(const triad_gpu_rows *x, int m, int64_t chunk)
{
  return chunk % x->chunks.depth * lines_slot(x->layout, &x->chunks, m, x->most);
}

static int64_t arrived_begin(const triad_gpu_rows *x, int m, int64_t chunk)
{
  return x->chunks.depth * lines_slot(x->layout, &x->chunks, m, x->most) +
         chunk % x->chunks.depth * rows_slot(x->layout, &x->chunks, m, x->most);
}

static triad_cplx *window(const triad_gpu_rows *x) { return (triad_cplx *)(void *)x->window; }

triad_cplx *triad_gpu_rows_lines(const triad_gpu_rows *x, int64_t chunk)
{
  return window(x) + lines_begin(x, x->layout->member, chunk);
}

static triad_cplx *leaving(const triad_gpu_rows *x, int64_t chunk)
{
  return x->leaving + chunk % x->chunks.depth * rows_slot(x->layout, &x->chunks, x->layout->member, x->most);
}

static triad_gpu_rows_part part_of(const triad_gpu_rows *x, int64_t chunk, triad_cplx *other)
{
  const triad_layout *l = x->layout;
  return (triad_gpu_rows_part){.kx = x->kx, .kx_most = (int)l->grid.kmax[0], .rows = (int)l->n_y, .apart = triad_gpu_rows_apart(x),
                               .own = triad_gpu_rows_lines(x, chunk) + lines_place(x, l->member, l->member), .other = other};
}

triad_gpu_rows_part triad_gpu_rows_in(const triad_gpu_rows *x, int64_t chunk)
{
  return part_of(x, chunk, window(x) + arrived_begin(x, x->layout->member, chunk));
}

triad_gpu_rows_part triad_gpu_rows_out(const triad_gpu_rows *x, int64_t chunk) { return part_of(x, chunk, leaving(x, chunk)); }

/* ---- made and destroyed ---- */

static int make_table(triad_gpu_rows *x)
{
  const triad_layout *l = x->layout;
  const triad_split *s = l->split;
  const int64_t n = l->grid.kmax[0] + 1;
  triad_gpu_kx *host = calloc((size_t)n, sizeof *host);
  int st = host ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "kx of groups");
  for (int64_t k = 0; host && k < n; k++) {
    const int m = s->member_of[k], own = m == l->member;
    host[k] = (triad_gpu_kx){own, own ? 0 : (int32_t)pitch_before(l, l->member, m), (int32_t)triad_gpu_rows_pitch(l, m), s->line_of[k]};
  }
  if (st == TRIAD_OK) st = triad_device_table(x->device, "kx of groups", n, sizeof *host, host, (void **)&x->kx);
  free(host);
  return st;
}

static int take(triad_gpu_rows *x)
{
  const size_t depth = (size_t)x->chunks.depth;
  int64_t back;
  const int64_t bytes = sizes_of(x->layout, &x->chunks, x->most, &back) * (int64_t)sizeof(triad_cplx);
  x->flags = (bytes + FLAG_ALIGN - 1) / FLAG_ALIGN * FLAG_ALIGN;
  TRIAD_TRY(triad_device_alloc(x->device, "lines of groups and what arrives", x->flags + triad_gpu_messages_flags_bytes(x->layout->group), 1,
                               (void **)&x->window));
  TRIAD_TRY(triad_device_alloc(x->device, "rows that leave", back, sizeof(triad_cplx), (void **)&x->leaving));
  TRIAD_TRY(make_table(x));
  x->list = calloc((size_t)x->layout->group, sizeof *x->list);
  x->lined = calloc(2 * depth, sizeof(cudaEvent_t));
  if (!x->list || !x->lined) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "events of %d slots", x->chunks.depth);
  x->done = x->lined + depth;
  for (size_t i = 0; i < 2 * depth; i++) TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&x->lined[i], cudaEventDisableTiming)));
  return triad_device_wait(x->device); /* flags are zero before a peer can count in them */
}

/* Peers in the order member + 1, member + 2, ..: none is everybody's first. */
static int peer(const triad_gpu_rows *x, int step) { return (x->layout->member + step) % x->layout->group; }

static int make_messages(triad_gpu_rows *x, const char *transport)
{
  const triad_layout *l = x->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), lines = lines_slot(l, &x->chunks, l->member, x->most) * cplx,
                rows = rows_slot(l, &x->chunks, l->member, x->most) * cplx;
  int *peers = calloc((size_t)l->group, sizeof *peers);
  int st = triad_agree(&x->group->comm, peers ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d peers", l->group));
  if (st == TRIAD_OK) {
    for (int step = 1; step < l->group; step++) peers[step - 1] = peer(x, step);
    triad_gpu_messages_shape shape = {.peer = peers, .n_peers = l->group - 1, .channels = 2, .depth = x->chunks.depth,
                                      .send_bytes = {lines, rows}, .receive_bytes = {rows, lines}, .window = x->window,
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
    st = take(x);
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
  triad_device_free(x->device, (void **)&x->leaving);
  triad_device_free(x->device, (void **)&x->kx);
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

/* Between the part of q in this member's lines and the part of this member in what q has of rows, `n` numbers a line and row. */
static void list_messages(triad_gpu_rows *x, int channel, int64_t chunk, int64_t planes)
{
  const triad_layout *l = x->layout;
  const int64_t cplx = (int64_t)sizeof(triad_cplx), n = planes * (channel == IN ? x->n_in : x->n_out) * cplx;
  const int m = l->member;
  for (int step = 1; step < l->group; step++) {
    const int q = peer(x, step);
    triad_cplx *lines = triad_gpu_rows_lines(x, chunk) + lines_place(x, m, q);
    const int64_t of_lines = n * triad_split_rows(l->split, q) * triad_gpu_rows_pitch(l, m),
                  of_rows = n * triad_split_rows(l->split, m) * triad_gpu_rows_pitch(l, q);
    x->list[step - 1] =
      channel == IN ? (triad_gpu_message){.send = lines, .send_bytes = of_lines,
                                          .receive = window(x) + arrived_begin(x, m, chunk) + rows_place(x, m, q),
                                          .receive_bytes = of_rows,
                                          .there = (arrived_begin(x, q, chunk) + rows_place(x, q, m)) * cplx}
                    : (triad_gpu_message){.send = leaving(x, chunk) + rows_place(x, m, q), .send_bytes = of_rows,
                                          .receive = lines, .receive_bytes = of_lines,
                                          .there = (lines_begin(x, q, chunk) + lines_place(x, q, m)) * cplx};
  }
}

static void start(triad_gpu_rows *x, int channel, int64_t chunk, int64_t planes, cudaEvent_t ready, cudaEvent_t read, void *stream)
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
  const int64_t in = x->n_in * (l->grid.n[1] - l->n_y) * triad_gpu_rows_pitch(l, l->member), out = x->n_out * l->n_y * others(l, l->member);
  return l->n_planes * (in + out) * (int64_t)sizeof(triad_cplx);
}
