/* Halo exchange on the host with MPI (halo.h). */
#include "grid/fields/halo.h"
#include "parallel/wait.h"

#include <stdlib.h>
#include <string.h>

/* Below this many reals a copy is over before threads have woken up. */
enum { WORTH_THREADS = 1 << 14, TAG = 26, TAG_OF_NONE = 27 };

struct triad_halo {
  const triad_context *context;
  triad_exchange_plan *plan;
  int most_fields;
  triad_real *send, *receive; /* [peer][field][numbers of its runs] */
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  int n_fields;                  /* of the exchange under way; 0: none */
  MPI_Request *sends, *receives; /* [peer] */
};

static int allocate_buffers(triad_halo *h, int n_fields)
{
  int unused;
  const triad_exchange_plan *p = h->plan;
  if (n_fields < 1 || n_fields > TRIAD_HALO_MOST_FIELDS)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "halos of %d fields", n_fields);
  TRIAD_TRY(triad_narrow(p->sent * n_fields, &unused)); /* then every message is counted by an int */
  TRIAD_TRY(triad_narrow(p->received * n_fields, &unused));
  TRIAD_TRY(TRIAD_ALLOC(h->context->memory, "halos to send", p->sent * n_fields, &h->send));
  TRIAD_TRY(TRIAD_ALLOC(h->context->memory, "halos to receive", p->received * n_fields, &h->receive));
  TRIAD_TRY(TRIAD_ALLOC(h->context->memory, "requests of halos", p->n_peers, &h->sends));
  TRIAD_TRY(TRIAD_ALLOC(h->context->memory, "requests of halos", p->n_peers, &h->receives));
  for (int i = 0; i < p->n_peers; i++) h->sends[i] = h->receives[i] = MPI_REQUEST_NULL;
  return TRIAD_OK;
}

int triad_halo_create(triad_halo **out, const triad_context *context, triad_exchange_plan **plan, int n_fields)
{
  triad_halo *h = *out = calloc(1, sizeof *h);
  int st = triad_agree(&context->comm, h ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the halo exchange"));
  if (st == TRIAD_OK) st = triad_exchange_plan_close(*plan, &context->comm);
  if (st == TRIAD_OK) {
    h->context = context;
    h->most_fields = n_fields;
    h->plan = *plan;
    *plan = NULL;
    st = triad_agree(&context->comm, allocate_buffers(h, n_fields));
  }
  triad_exchange_plan_destroy(plan);
  if (st != TRIAD_OK) triad_halo_destroy(out);
  return st;
}

int triad_halo_create_of(triad_halo **out, const triad_context *context, const triad_partition *blocks, int64_t width,
                         int n_fields, triad_halo_reach reach)
{
  triad_exchange_plan *plan = NULL;
  *out = NULL;
  int st = triad_agree(&context->comm, triad_halo_plan_create(&plan, blocks, width, reach));
  if (st == TRIAD_OK) return triad_halo_create(out, context, &plan, n_fields);
  triad_exchange_plan_destroy(&plan);
  return st;
}

void triad_halo_destroy(triad_halo **halo)
{
  if (!halo || !*halo) return;
  triad_halo *h = *halo;
  if (h->context) {
    TRIAD_FREE(h->context->memory, &h->send);
    TRIAD_FREE(h->context->memory, &h->receive);
    TRIAD_FREE(h->context->memory, &h->sends);
    TRIAD_FREE(h->context->memory, &h->receives);
  }
  triad_exchange_plan_destroy(&h->plan);
  free(h);
  *halo = NULL;
}

/* Neighbours wait for this message: there is no way back. */
static void must(const triad_halo *h, int status) { triad_must(&h->context->comm, status); }

/* Row (j, k) of a run, between a field and its packed numbers. */
static void copy_row(const triad_exchange_run *r, int64_t j, int64_t k, triad_real *field, triad_real *packed, int pack)
{
  triad_real *row = field + r->first + j * r->stride[1] + k * r->stride[2];
  int64_t n = r->count[0], step = r->stride[0];
  if (!r->list && step == 1) memcpy(pack ? packed : row, pack ? row : packed, (size_t)n * sizeof *row);
  else if (pack)
    for (int64_t i = 0; i < n; i++) packed[i] = r->list ? field[r->list[i]] : row[i * step];
  else
    for (int64_t i = 0; i < n; i++) *(r->list ? &field[r->list[i]] : &row[i * step]) = packed[i];
}

/* All fields of the runs of one message, between the fields and a buffer of `numbers` a field. */
static void copy_message(const triad_halo *h, const triad_exchange_run *runs, int n_runs, int64_t numbers,
                         triad_real *buffer, int pack)
{
  for (int i = 0; i < n_runs; i++) {
    const triad_exchange_run *r = &runs[i];
    const int64_t all = triad_exchange_run_count(r);
#pragma omp parallel for collapse(3) schedule(static) \
  num_threads(h->context->threads) if (h->n_fields * all > WORTH_THREADS)
    for (int f = 0; f < h->n_fields; f++)
      for (int64_t k = 0; k < r->count[2]; k++)
        for (int64_t j = 0; j < r->count[1]; j++)
          copy_row(r, j, k, h->fields[f], buffer + f * numbers + (k * r->count[1] + j) * r->count[0], pack);
    buffer += all;
  }
}

/* Within this rank, from field to field; no place is both read and written. */
static void copy_within(const triad_halo *h, const triad_exchange_run *from, const triad_exchange_run *to)
{
  const int64_t all = triad_exchange_run_count(to), n = to->count[0];
#pragma omp parallel for collapse(3) schedule(static) \
  num_threads(h->context->threads) if (h->n_fields * all > WORTH_THREADS)
  for (int f = 0; f < h->n_fields; f++)
    for (int64_t k = 0; k < to->count[2]; k++)
      for (int64_t j = 0; j < to->count[1]; j++) {
        triad_real *field = h->fields[f], *target = field + to->first + j * to->stride[1] + k * to->stride[2];
        const triad_real *source = field + from->first + j * from->stride[1] + k * from->stride[2];
        if (!to->list && !from->list && to->stride[0] == 1 && from->stride[0] == 1)
          memcpy(target, source, (size_t)n * sizeof *target);
        else
          for (int64_t i = 0; i < n; i++)
            *(to->list ? &field[to->list[i]] : &target[i * to->stride[0]]) =
              from->list ? field[from->list[i]] : source[i * from->stride[0]];
      }
}

static void start_messages(triad_halo *h)
{
  const triad_exchange_plan *p = h->plan;
  MPI_Comm comm = h->context->comm.mpi;
  for (int i = 0; i < p->n_peers; i++) {
    const triad_exchange_peer *peer = &p->peer[i];
    if (peer->received > 0)
      must(h, TRIAD_MPI(MPI_Irecv(h->receive + peer->received_before * h->n_fields, (int)(peer->received * h->n_fields),
                                  TRIAD_MPI_REAL, peer->rank, TAG, comm, &h->receives[i])));
  }
  for (int i = 0; i < p->n_peers; i++) {
    const triad_exchange_peer *peer = &p->peer[i];
    triad_real *buffer = h->send + peer->sent_before * h->n_fields;
    if (peer->sent == 0) continue;
    copy_message(h, p->send + peer->first_send, peer->n_send, peer->sent, buffer, 1);
    must(h, TRIAD_MPI(
              MPI_Isend(buffer, (int)(peer->sent * h->n_fields), TRIAD_MPI_REAL, peer->rank, TAG, comm, &h->sends[i])));
  }
}

void triad_halo_begin(triad_halo *h, triad_real *const *fields, int n_fields)
{
  if (h->n_fields != 0 || n_fields < 1 || n_fields > h->most_fields)
    must(h, TRIAD_FAIL(TRIAD_ERR_INTERNAL, "an exchange of %d fields, made for %d, while one of %d is under way",
                       n_fields, h->most_fields, h->n_fields));
  h->n_fields = n_fields;
  for (int f = 0; f < n_fields; f++) h->fields[f] = fields[f];
  start_messages(h);
  for (int i = 0; i < h->plan->n_copies; i++) copy_within(h, &h->plan->from[i], &h->plan->to[i]);
}

void triad_halo_progress(const triad_halo *h)
{
  int any;
  if (h->plan->n_peers == 0 || h->n_fields == 0) return;
  /* looks for a message that never comes, and moves those that do; requests stay as they are */
  must(h, TRIAD_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG_OF_NONE, h->context->comm.mpi, &any, MPI_STATUS_IGNORE)));
}

void triad_halo_end(triad_halo *h)
{
  const triad_exchange_plan *p = h->plan;
  for (;;) {
    int i = 0;
    must(h, TRIAD_MPI(MPI_Waitany(p->n_peers, h->receives, &i, MPI_STATUS_IGNORE)));
    if (i == MPI_UNDEFINED) break; /* all have come */
    const triad_exchange_peer *peer = &p->peer[i];
    copy_message(h, p->receive + peer->first_receive, peer->n_receive, peer->received,
                 h->receive + peer->received_before * h->n_fields, 0);
  }
  must(h, TRIAD_MPI(triad_wait_all(p->n_peers, h->sends)));
  h->n_fields = 0;
}

void triad_halo_exchange(triad_halo *h, triad_real *const *fields, int n_fields)
{
  triad_halo_begin(h, fields, n_fields);
  triad_halo_end(h);
}

int64_t triad_halo_bytes(const triad_halo *h, int n_fields)
{
  return h->plan->sent * n_fields * (int64_t)sizeof(triad_real);
}

int64_t triad_halo_buffer_bytes(const triad_partition *blocks, int64_t width, int n_fields, triad_halo_reach reach)
{
  return 2 * triad_halo_plan_points(blocks, width, reach) * n_fields * (int64_t)sizeof(triad_real);
}
