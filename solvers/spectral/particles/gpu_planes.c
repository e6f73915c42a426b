/* Planes of points on a GPU while particles need them, and from rank to rank. */
#include "solvers/spectral/particles/gpu_planes.h"
#include "solvers/spectral/particles/gpu_internal.h"

#include <stdlib.h>
#include <string.h>

/* As in grid/gpu_halo.c: CUDA packs smaller pieces of memory together, and a peer that maps one would map its
 * neighbours. */
enum { WHOLE_PIECE = 2 << 20, FLAG_ALIGN = 256, FIELDS = 3 };

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

static int64_t points_of(const triad_layout *l) { return l->grid.n[0] * l->grid.n[1]; }

static int64_t window_bytes(int64_t received, int ranks)
{
  return round_up(round_up(received, FLAG_ALIGN) + triad_gpu_messages_flags_bytes(ranks), WHOLE_PIECE);
}

/* A batch of the pass, the additional planes for sums at its particles, and a slab that was incomplete. */
static int64_t slots_of(int64_t batch, int order) { return batch + order - 1 + TRIAD_SLAB - 1; }

int64_t triad_gpu_planes_bytes(const triad_layout *l, int order, int64_t batch)
{
  const int64_t plane = FIELDS * points_of(l) * (int64_t)sizeof(triad_real), edge = order - 1;
  return (slots_of(batch, order) + edge) * plane +
         (l->size > 1 ? edge * plane + window_bytes(edge * plane, l->size) : 0);
}

/* ---- who needs what ---- */

/* Plane number i of those beyond its own that rank r needs: first those below, then those above. */
static int64_t needed(const triad_gpu_particles *p, int r, int i)
{
  const triad_layout *l = p->layout;
  const int64_t n = l->grid.n[2];
  const int64_t z =
    i < p->planes.lower ? l->plane_begin[r] - p->planes.lower + i : l->plane_begin[r + 1] + i - p->planes.lower;
  return (z % n + n) % n;
}

/* Does rank r, which has planes, need its plane number i from rank `of`? */
static int needs_from(const triad_gpu_particles *p, int r, int i, int of)
{
  const int64_t *begin = p->layout->plane_begin, z = needed(p, r, i);
  return begin[r] < begin[r + 1] && z >= begin[of] && z < begin[of + 1];
}

static int count_from(const triad_gpu_particles *p, int r, int of)
{
  int n = 0;
  for (int i = 0; i < p->planes.edge && r != of; i++) n += needs_from(p, r, i, of);
  return n;
}

/* Where in what arrives at rank r the planes of rank `of` begin: its peers are r + 1, r + 2, .. */
static int place_at(const triad_gpu_particles *p, int r, int of)
{
  int before = 0;
  for (int k = 1; k < p->layout->size; k++) {
    const int other = (r + k) % p->layout->size;
    if (other == of) break;
    before += count_from(p, r, other);
  }
  return before;
}

/* Where this rank finds planes beyond its own. */
static void set_from(triad_gpu_particles *p)
{
  const triad_layout *l = p->layout;
  const int64_t mine = l->plane_begin[l->rank];
  for (int i = 0; i < p->planes.edge && l->n_planes > 0; i++) {
    const int64_t z = needed(p, l->rank, i);
    if (z >= mine && z < mine + l->n_planes) {
      p->planes.from[i] = -1 - (int32_t)(z - mine);
      continue;
    }
    int owner = 0, before = 0;
    while (z >= l->plane_begin[owner + 1]) owner++;
    for (int k = 0; k < i; k++) before += needs_from(p, l->rank, k, owner);
    p->planes.from[i] = place_at(p, l->rank, owner) + before;
  }
}

/* ---- making them ---- */

static int take_planes(triad_gpu_particles *p)
{
  const int64_t plane = FIELDS * p->planes.points, edge = p->planes.edge;
  TRIAD_TRY(triad_device_alloc(p->device, "particles", p->planes.slots * plane, sizeof *p->ring, (void **)&p->ring));
  TRIAD_TRY(triad_device_alloc(p->device, "particles", edge * plane, sizeof *p->head, (void **)&p->head));
  p->planes.ring = p->ring;
  p->planes.head = p->head;
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->seen, cudaEventDisableTiming)));
  if (p->layout->size == 1) return TRIAD_OK;
  const int64_t bytes = edge * plane * (int64_t)sizeof(triad_real);
  p->list = calloc((size_t)p->layout->size, sizeof *p->list);
  if (!p->list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages of planes");
  int64_t leaving = 1; /* planes that others want of this rank's */
  for (int r = 0; r < p->layout->size; r++) leaving += count_from(p, r, p->layout->rank);
  TRIAD_TRY(triad_device_alloc(p->device, "particles", leaving * plane, sizeof *p->leaving, (void **)&p->leaving));
  TRIAD_TRY(triad_device_alloc(p->device, "particles", window_bytes(bytes, p->layout->size), 1, (void **)&p->beyond));
  p->planes.beyond = (const triad_real *)(const void *)p->beyond;
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->packed, cudaEventDisableTiming)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->read, cudaEventDisableTiming)));
  return triad_device_wait(p->device); /* flags are zero before a peer can count in them */
}

/* Peers are those with whom there is anything to exchange, in the order rank + 1, rank + 2, .. */
static int find_peers(triad_gpu_particles *p, int *peer, int64_t *sent)
{
  const triad_layout *l = p->layout;
  const int64_t plane = FIELDS * p->planes.points * (int64_t)sizeof(triad_real);
  int n = 0;
  *sent = 0;
  for (int k = 1; k < l->size; k++) {
    const int r = (l->rank + k) % l->size, out = count_from(p, r, l->rank), in = count_from(p, l->rank, r);
    if (out + in == 0) continue;
    p->list[n] = (triad_gpu_message){.send = (char *)p->leaving + *sent,
                                     .send_bytes = out * plane,
                                     .receive = p->beyond + place_at(p, l->rank, r) * plane,
                                     .receive_bytes = in * plane,
                                     .there = place_at(p, r, l->rank) * plane};
    *sent += out * plane;
    peer[n++] = r;
  }
  return n;
}

/* The transport of the pass, except that of messages with answers. */
static const char *transport_of(const triad_gpu_particles *p)
{
  const char *word = triad_gpu_pass_transport(p->state->pass);
  return strcmp(word, triad_transport_name(TRIAD_TRANSPORT_PUT)) == 0 ? triad_transport_name(TRIAD_TRANSPORT_IPC)
                                                                      : word;
}

static int make_messages(triad_gpu_particles *p)
{
  triad_context *context = p->flow->context;
  int *peer = calloc((size_t)p->layout->size, sizeof *peer);
  int st = triad_agree(&context->comm, peer ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "peers"));
  if (st == TRIAD_OK) {
    const int64_t room = p->planes.edge * FIELDS * p->planes.points * (int64_t)sizeof(triad_real);
    int64_t sent;
    p->n_peers = find_peers(p, peer, &sent);
    const triad_gpu_messages_shape shape = {.peer = peer,
                                            .n_peers = p->n_peers,
                                            .channels = 1,
                                            .depth = 1,
                                            .send_bytes = {sent},
                                            .receive_bytes = {room},
                                            .window = p->beyond,
                                            .flags = round_up(room, FLAG_ALIGN)};
    st = triad_gpu_messages_create(&p->messages, context, p->device, transport_of(p), &shape);
  }
  free(peer);
  return st;
}

int triad_gpu_planes_create(triad_gpu_particles *p, int order)
{
  const triad_layout *l = p->layout;
  p->planes = (triad_gpu_planes){.points = points_of(l),
                                 .slots = (int)slots_of(triad_gpu_pass_batch(p->state->pass), order),
                                 .edge = order - 1,
                                 .planes = (int)l->n_planes,
                                 .lower = order / 2 - 1};
  set_from(p);
  TRIAD_TRY(triad_agree(&p->flow->context->comm, take_planes(p)));
  return l->size > 1 ? make_messages(p) : TRIAD_OK;
}

void triad_gpu_planes_destroy(triad_gpu_particles *p)
{
  triad_gpu_messages_destroy(&p->messages);
  if (p->seen) (void)cudaEventDestroy(p->seen);
  if (p->packed) (void)cudaEventDestroy(p->packed);
  if (p->read) (void)cudaEventDestroy(p->read);
  triad_device_free(p->device, (void **)&p->ring);
  triad_device_free(p->device, (void **)&p->head);
  triad_device_free(p->device, (void **)&p->leaving);
  triad_device_free(p->device, (void **)&p->beyond);
  free(p->list);
}

/* ---- planes of a pass ---- */

/* Address of field f of own plane z. */
static triad_real *place_of(const triad_gpu_particles *p, int64_t z, int f)
{
  const triad_gpu_planes *at = &p->planes;
  if (z < at->edge) return p->head + (z * FIELDS + f) * at->points;
  return p->ring + (f * at->slots + z % at->slots) * at->points;
}

static int copy_plane(const triad_gpu_particles *p, triad_real *to, const triad_real *from, void *stream)
{
  return TRIAD_CU(
    cudaMemcpyAsync(to, from, (size_t)p->planes.points * sizeof *to, cudaMemcpyDeviceToDevice, (cudaStream_t)stream));
}

/* Two rows are transformed as one line: where a plane has an odd number of them, planes go one by one, so that no
 * rounding depends on how many go together. */
int triad_gpu_planes_take(triad_gpu_particles *p, const triad_gpu_chunk *c, int fields)
{
  const triad_gpu_planes *at = &p->planes;
  const int64_t plane = c->shape->n[1] * c->shape->pitch;
  const int odd = c->shape->n[1] % 2;
  for (int f = 0; f < fields; f++) {
    for (int w = 0; w < c->count;) {
      const int slot = (int)((c->first + w) % at->slots), left = c->count - w, room = at->slots - slot;
      const int n = odd ? 1 : left < room ? left : room;
      TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in + (f * c->count + w) * plane, n,
                                     p->ring + (f * at->slots + slot) * at->points, c->stream));
      w += n;
    }
    for (int64_t z = c->first; z < at->edge && z < c->first + c->count; z++)
      TRIAD_TRY(copy_plane(p, place_of(p, z, f), p->ring + (f * at->slots + z % at->slots) * at->points, c->stream));
  }
  return TRIAD_OK;
}

static int pack(triad_gpu_particles *p)
{
  const triad_layout *l = p->layout;
  triad_real *to = p->leaving;
  for (int k = 1; k < l->size; k++) {
    const int r = (l->rank + k) % l->size;
    for (int i = 0; i < p->planes.edge; i++) {
      if (!needs_from(p, r, i, l->rank)) continue;
      for (int f = 0; f < FIELDS; f++, to += p->planes.points)
        TRIAD_TRY(
          copy_plane(p, to, place_of(p, needed(p, r, i) - l->plane_begin[l->rank], f), triad_device_stream(p->device)));
    }
  }
  return TRIAD_CU(cudaEventRecord(p->packed, (cudaStream_t)triad_device_stream(p->device)));
}

int triad_gpu_planes_fetch(triad_gpu_particles *p)
{
  if (!p->messages) return TRIAD_OK;
  TRIAD_TRY(pack(p));
  triad_gpu_messages_start(p->messages, 0, 0, p->list, p->packed, p->read);
  triad_gpu_messages_finish(p->messages, 1, (cudaStream_t)triad_device_stream(p->device));
  return TRIAD_OK;
}

int triad_gpu_planes_read(triad_gpu_particles *p)
{
  if (!p->messages) return TRIAD_OK;
  cudaStream_t stream = (cudaStream_t)triad_device_stream(p->device);
  TRIAD_TRY(TRIAD_CU(cudaEventRecord(p->read, stream)));
  triad_gpu_messages_read(p->messages, stream);
  return TRIAD_OK;
}
