#include "grid/halo.h"

#include "grid/halo_parts.h"

#include <stdlib.h>
#include <string.h>

#ifdef TRIAD_SINGLE
#define MPI_REAL_HERE MPI_FLOAT
#else
#define MPI_REAL_HERE MPI_DOUBLE
#endif

/* Below this many reals a copy is over before threads have woken up. */
enum { WORTH_THREADS = 1 << 14, TAG_OF_NONE = 27 /* directions have 0 to 26 */ };

struct triad_halo {
  const triad_context *context;
  triad_partition blocks;
  int n_parts, most_fields;
  triad_halo_part part[TRIAD_HALO_PARTS];
  int64_t points; /* of all parts */
  triad_real *send, *receive; /* [part][field][z][y][x], each most_fields * points */
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  int n_fields; /* of the exchange under way; 0: none */
  MPI_Request request[2 * TRIAD_HALO_PARTS];
  int arrival[TRIAD_HALO_PARTS]; /* the part of each receive request */
  int n_sends, n_receives;
};

static int take_buffers(triad_halo *h)
{
  int64_t reals = h->points * h->most_fields;
  int unused;
  TRIAD_TRY(triad_narrow(reals, &unused)); /* then every message is counted by an int */
  TRIAD_TRY(TRIAD_TAKE(h->context->memory, "halos to send", reals, &h->send));
  return TRIAD_TAKE(h->context->memory, "halos to receive", reals, &h->receive);
}

int triad_halo_create(triad_halo **out, const triad_context *context, const triad_partition *blocks, int64_t width,
                      int n_fields, triad_halo_reach reach)
{
  *out = NULL;
  triad_halo *h = calloc(1, sizeof *h);
  int st = h ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the halo exchange");
  if (h) {
    h->context = context;
    h->blocks = *blocks;
    h->most_fields = n_fields;
    if (n_fields < 1 || n_fields > TRIAD_HALO_MOST_FIELDS)
      st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "halos of %d fields", n_fields);
    for (int i = 0; i < 3 && st == TRIAD_OK; i++)
      if (width < 0 || (blocks->n[i] > 1 && width > blocks->halo[i]))
        st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a halo of %lld points in blocks that have %lld", (long long)width,
                        (long long)blocks->halo[i]);
    if (st == TRIAD_OK) h->n_parts = triad_halo_parts(blocks, width, (int)reach, h->part, &h->points);
    if (st == TRIAD_OK) st = take_buffers(h);
  }
  st = triad_agree(&context->comm, st);
  if (st != TRIAD_OK) triad_halo_destroy(&h);
  *out = h;
  return st;
}

void triad_halo_destroy(triad_halo **halo)
{
  if (!halo || !*halo) return;
  TRIAD_GIVE((*halo)->context->memory, &(*halo)->send);
  TRIAD_GIVE((*halo)->context->memory, &(*halo)->receive);
  free(*halo);
  *halo = NULL;
}

/* Neighbours wait for this message: there is no way back. */
static void must(const triad_halo *h, int status) { triad_must(&h->context->comm, status); }

/* A part's share of a buffer: its fields one after another, each a packed box. */
static triad_real *share(const triad_halo *h, triad_real *buffer, const triad_halo_part *p)
{
  return buffer + p->offset * h->n_fields;
}

/* Row (y, z) of a box in a field. */
static triad_real *row(const triad_partition *b, triad_real *field, const triad_box *box, int64_t y, int64_t z)
{
  return field + triad_partition_at(b, box->first[0], box->first[1] + y, box->first[2] + z);
}

typedef enum move { PACK, UNPACK, CLOSE } move;

/* PACK: field -> buffer; UNPACK: buffer -> field; CLOSE: own points to the halo of the same field, once around. */
static void carry(const triad_halo *h, const triad_halo_part *p, triad_real *buffer, move what)
{
  const triad_partition *b = &h->blocks;
  int64_t nx = p->give.count[0], ny = p->give.count[1], nz = p->give.count[2];
  size_t bytes = (size_t)nx * sizeof *buffer;
  /* around once, what leaves at one end comes in at the other: the points opposite those that this part gives */
  triad_box far = p->give;
  for (int i = 0; i < 3; i++)
    if (p->step[i]) far.first[i] = p->step[i] > 0 ? 0 : b->local[i] - p->give.count[i];
#pragma omp parallel for collapse(3) schedule(static) num_threads(h->context->threads) \
    if (h->n_fields * p->points > WORTH_THREADS)
  for (int f = 0; f < h->n_fields; f++)
    for (int64_t z = 0; z < nz; z++)
      for (int64_t y = 0; y < ny; y++) {
        triad_real *packed = buffer ? buffer + f * p->points + (z * ny + y) * nx : NULL, *field = h->fields[f];
        if (what == PACK) memcpy(packed, row(b, field, &p->give, y, z), bytes);
        if (what == UNPACK) memcpy(row(b, field, &p->take, y, z), packed, bytes);
        if (what == CLOSE) memcpy(row(b, field, &p->take, y, z), row(b, field, &far, y, z), bytes);
      }
}

static int is_own(const triad_halo *h, const triad_halo_part *p) { return p->peer == h->context->comm.rank; }

static int message_size(const triad_halo *h, const triad_halo_part *p) { return (int)(p->points * h->n_fields); }

static int post_receives(triad_halo *h)
{
  for (int i = 0; i < h->n_parts; i++) {
    const triad_halo_part *p = &h->part[i];
    if (is_own(h, p)) continue;
    h->arrival[h->n_receives] = i;
    TRIAD_TRY(TRIAD_MPI(MPI_Irecv(share(h, h->receive, p), message_size(h, p), MPI_REAL_HERE, p->peer, p->opposite,
                                  h->context->comm.mpi, &h->request[h->n_receives++])));
  }
  return TRIAD_OK;
}

static int post_sends(triad_halo *h)
{
  for (int i = 0; i < h->n_parts; i++) {
    const triad_halo_part *p = &h->part[i];
    if (is_own(h, p)) continue;
    triad_real *buffer = share(h, h->send, p);
    carry(h, p, buffer, PACK);
    TRIAD_TRY(TRIAD_MPI(MPI_Isend(buffer, message_size(h, p), MPI_REAL_HERE, p->peer, p->number, h->context->comm.mpi,
                                  &h->request[h->n_receives + h->n_sends++])));
  }
  return TRIAD_OK;
}

void triad_halo_begin(triad_halo *h, triad_real *const *fields, int n_fields)
{
  if (h->n_fields != 0 || n_fields < 1 || n_fields > h->most_fields)
    must(h, TRIAD_FAIL(TRIAD_ERR_INTERNAL, "an exchange of %d fields, made for %d, while one of %d is under way",
                              n_fields, h->most_fields, h->n_fields));
  h->n_fields = n_fields;
  h->n_sends = h->n_receives = 0;
  for (int f = 0; f < n_fields; f++) h->fields[f] = fields[f];
  must(h, post_receives(h));
  must(h, post_sends(h));
  for (int i = 0; i < h->n_parts; i++)
    if (is_own(h, &h->part[i])) carry(h, &h->part[i], NULL, CLOSE);
}

void triad_halo_progress(const triad_halo *h)
{
  int any;
  if (h->n_receives == 0 || h->n_fields == 0) return;
  /* looks for a message that never comes, and moves those that do; requests stay as they are */
  must(h, TRIAD_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG_OF_NONE, h->context->comm.mpi, &any, MPI_STATUS_IGNORE)));
}

void triad_halo_end(triad_halo *h)
{
  for (int i = 0; i < h->n_receives; i++) {
    int which = 0;
    must(h, TRIAD_MPI(MPI_Waitany(h->n_receives, h->request, &which, MPI_STATUS_IGNORE)));
    const triad_halo_part *p = &h->part[h->arrival[which]];
    carry(h, p, share(h, h->receive, p), UNPACK);
  }
  must(h, TRIAD_MPI(MPI_Waitall(h->n_sends, h->request + h->n_receives, MPI_STATUSES_IGNORE)));
  h->n_fields = 0;
}

void triad_halo_exchange(triad_halo *h, triad_real *const *fields, int n_fields)
{
  triad_halo_begin(h, fields, n_fields);
  triad_halo_end(h);
}

int64_t triad_halo_bytes(const triad_halo *h, int n_fields)
{
  int64_t points = 0;
  for (int i = 0; i < h->n_parts; i++)
    if (!is_own(h, &h->part[i])) points += h->part[i].points;
  return points * n_fields * (int64_t)sizeof(triad_real);
}

int64_t triad_halo_buffer_bytes(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach)
{
  triad_halo_part parts[TRIAD_HALO_PARTS];
  int64_t points;
  (void)triad_halo_parts(blocks, width, (int)reach, parts, &points);
  return 2 * points * n_fields * (int64_t)sizeof(triad_real);
}
