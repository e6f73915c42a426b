#include "grid/gpu_halo.h"

#include "grid/gpu_halo_copy.h"
#include "grid/halo_parts.h"
#include "parallel/gpu_mail.h"

#include <stdlib.h>

_Static_assert((int)TRIAD_GPU_HALO_BOXES == (int)TRIAD_HALO_PARTS, "a box for each part");
_Static_assert((int)TRIAD_GPU_HALO_FIELDS == (int)TRIAD_HALO_MOST_FIELDS, "a place for each field");

struct triad_gpu_halo {
  triad_context *context;
  triad_partition blocks;
  int most_fields;
  int64_t points;                          /* of all parts that travel */
  triad_gpu_halo_list give, take, close;   /* to others, from others, around this block */
  triad_gpu_mail *mail;                    /* NULL: nobody to exchange with */
};

/* Parts between two ranks travel as one message. Both see the same order: by direction, of the rank that gives. */
typedef struct division {
  triad_halo_part part[TRIAD_HALO_PARTS];
  int n;
  triad_gpu_letter letter[TRIAD_HALO_PARTS];
  int n_letters;
} division;

static int add_box(triad_gpu_halo_list *list, const triad_partition *b, const triad_box *box, int64_t there)
{
  triad_gpu_halo_box *to = &list->box[list->n++];
  int64_t points = box->count[0] * box->count[1] * box->count[2];
  int unused;
  TRIAD_TRY(triad_narrow(points, &unused)); /* kernels count points of a box by 32 bits */
  *to = (triad_gpu_halo_box){.here = triad_partition_at(b, box->first[0], box->first[1], box->first[2]),
                             .there = there,
                             .points = (uint32_t)points,
                             .first_block = list->blocks};
  for (int i = 0; i < 3; i++) to->count[i] = (uint32_t)box->count[i];
  list->blocks += (uint32_t)((points + TRIAD_GPU_HALO_BLOCK - 1) / TRIAD_GPU_HALO_BLOCK);
  return TRIAD_OK;
}

/* The part's halo is filled by this block's own points, once around: those opposite of what it gives. */
static int add_closing(triad_gpu_halo *h, const triad_halo_part *p)
{
  const triad_partition *b = &h->blocks;
  int64_t first[3];
  for (int i = 0; i < 3; i++)
    first[i] = p->step[i] == 0 ? p->give.first[i] : p->step[i] > 0 ? 0 : b->local[i] - p->give.count[i];
  return add_box(&h->close, b, &p->take, triad_partition_at(b, first[0], first[1], first[2]));
}

/* All parts of one peer, behind those of the peers before it. */
static int add_peer(triad_gpu_halo *h, division *d, int peer)
{
  int64_t before = h->points, taken = h->points;
  for (int i = 0; i < d->n; i++) {
    if (d->part[i].peer != peer) continue;
    TRIAD_TRY(add_box(&h->give, &h->blocks, &d->part[i].give, h->points));
    h->points += d->part[i].points;
  }
  /* parts come by ascending number, and so do those that the peer gives: their opposites, by descending number here */
  for (int i = d->n - 1; i >= 0; i--) {
    if (d->part[i].peer != peer) continue;
    TRIAD_TRY(add_box(&h->take, &h->blocks, &d->part[i].take, taken));
    taken += d->part[i].points;
  }
  if (h->points > before)
    d->letter[d->n_letters++] = (triad_gpu_letter){.peer = peer,
                                                   .at = before * (int64_t)sizeof(triad_real),
                                                   .size = (h->points - before) * (int64_t)sizeof(triad_real)};
  return TRIAD_OK;
}

static int divide(triad_gpu_halo *h, division *d, int64_t width, triad_halo_reach reach)
{
  int64_t unused;
  const triad_partition *b = &h->blocks;
  for (int i = 0; i < 3; i++)
    if (width < 0 || (b->n[i] > 1 && width > b->halo[i]))
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a halo of %lld points in blocks that have %lld", (long long)width,
                        (long long)b->halo[i]);
  d->n = triad_halo_parts(b, width, (int)reach, d->part, &unused);
  for (int i = 0; i < d->n; i++)
    if (d->part[i].peer == b->rank) TRIAD_TRY(add_closing(h, &d->part[i]));
  /* rank + 1, rank + 2, ..: no rank is everybody's first */
  for (int step = 1; step < b->size; step++) TRIAD_TRY(add_peer(h, d, (b->rank + step) % b->size));
  return TRIAD_OK;
}

int triad_gpu_halo_create(triad_gpu_halo **out, triad_context *context, triad_device *device, const triad_partition *blocks,
                          int64_t width, int n_fields, triad_halo_reach reach, const char *transport)
{
  triad_gpu_halo *h = *out = calloc(1, sizeof *h);
  division d = {.n = 0};
  int st = h ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the halo exchange of a GPU");
  if (h) {
    h->context = context;
    h->blocks = *blocks;
    h->most_fields = n_fields;
    if (n_fields < 1 || n_fields > TRIAD_HALO_MOST_FIELDS)
      st = TRIAD_FAIL(TRIAD_ERR_INTERNAL, "halos of %d fields", n_fields);
    triad_gpu_halo_list *list[] = {&h->give, &h->take, &h->close};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 2; j++) list[i]->stride[j] = blocks->stride[j + 1];
    if (st == TRIAD_OK) st = divide(h, &d, width, reach);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK && context->comm.size > 1)
    st = triad_gpu_mail_create(&h->mail, context, device, transport, d.letter, d.n_letters, n_fields);
  if (st != TRIAD_OK) triad_gpu_halo_destroy(out);
  return st;
}

void triad_gpu_halo_destroy(triad_gpu_halo **halo)
{
  if (!halo || !*halo) return;
  triad_gpu_mail_destroy(&(*halo)->mail);
  free(*halo);
  *halo = NULL;
}

static void must(const triad_gpu_halo *h, int status)
{
  if (status == TRIAD_OK) return;
  triad_message_print(h->context->comm.size > 1 ? h->context->comm.rank : -1);
  (void)MPI_Abort(h->context->comm.mpi, status);
}

static void use(triad_gpu_halo_list *list, triad_real *const *fields, int n_fields)
{
  list->n_fields = n_fields;
  for (int f = 0; f < n_fields; f++) list->field[f] = fields[f];
}

void triad_gpu_halo_begin(triad_gpu_halo *h, triad_real *const *fields, int n_fields, void *stream)
{
  if (n_fields < 1 || n_fields > h->most_fields)
    must(h, TRIAD_FAIL(TRIAD_ERR_INTERNAL, "an exchange of %d fields, made for %d", n_fields, h->most_fields));
  use(&h->give, fields, n_fields);
  use(&h->take, fields, n_fields);
  use(&h->close, fields, n_fields);
  if (h->mail) {
    must(h, triad_gpu_halo_copy(&h->give, TRIAD_GPU_HALO_PACK, triad_gpu_mail_leaving(h->mail), stream));
    triad_gpu_mail_begin(h->mail, n_fields, stream);
  }
  must(h, triad_gpu_halo_copy(&h->close, TRIAD_GPU_HALO_WITHIN, NULL, stream));
}

void triad_gpu_halo_end(triad_gpu_halo *h, void *stream)
{
  if (!h->mail) return;
  triad_gpu_mail_end(h->mail, stream);
  must(h, triad_gpu_halo_copy(&h->take, TRIAD_GPU_HALO_UNPACK, triad_gpu_mail_arrived(h->mail), stream));
  triad_gpu_mail_read(h->mail, stream);
}

int64_t triad_gpu_halo_bytes(const triad_gpu_halo *h, int n_fields)
{
  return h->points * n_fields * (int64_t)sizeof(triad_real);
}

int64_t triad_gpu_halo_needs(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach)
{
  triad_halo_part parts[TRIAD_HALO_PARTS];
  int64_t unused, points = 0;
  int n = triad_halo_parts(blocks, width, (int)reach, parts, &unused);
  for (int i = 0; i < n; i++) points += parts[i].peer != blocks->rank ? parts[i].points : 0;
  return triad_gpu_mail_bytes(points * n_fields * (int64_t)sizeof(triad_real));
}

const char *triad_gpu_halo_transport(const triad_gpu_halo *h)
{
  return h->mail ? triad_gpu_carrier_name(triad_gpu_mail_carrier(h->mail)) : "none";
}

int triad_gpu_halo_is_direct(const triad_gpu_halo *h)
{
  return h->mail && triad_gpu_mail_carrier(h->mail) == TRIAD_GPU_IPC;
}
