/* Exchange plans: storage of runs, order of peers, check of message sizes (exchange_plan.h). */
#include "grid/exchange_plan.h"

#include <stdlib.h>
#include <string.h>

triad_exchange_run triad_exchange_run_oriented(const triad_exchange_run *run, const triad_orientation *o)
{
  triad_exchange_run there = {.first = run->first};
  for (int i = 0; i < 3; i++) {
    there.count[o->axis[i]] = run->count[i];
    there.stride[o->axis[i]] = o->reversed[i] ? -run->stride[i] : run->stride[i];
    if (o->reversed[i]) there.first += (run->count[i] - 1) * run->stride[i];
  }
  return there;
}

int triad_exchange_plan_create(triad_exchange_plan **out)
{
  *out = calloc(1, sizeof **out);
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the plan of an exchange");
}

static void free_runs(triad_exchange_run *runs, int n)
{
  for (int i = 0; i < n; i++) free((void *)(uintptr_t)runs[i].list);
  free(runs);
}

void triad_exchange_plan_destroy(triad_exchange_plan **plan)
{
  if (!plan || !*plan) return;
  triad_exchange_plan *p = *plan;
  free_runs(p->send, p->n_send);
  free_runs(p->receive, p->n_receive);
  free_runs(p->from, p->n_copies);
  free_runs(p->to, p->n_copies);
  free(p->send_to);
  free(p->receive_from);
  free(p->peer);
  free(p);
  *plan = NULL;
}

static int grow(void **array, int n, size_t size)
{
  void *larger = realloc(*array, (size_t)(n + 1) * size);
  if (!larger) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d runs of an exchange", n + 1);
  *array = larger;
  return TRIAD_OK;
}

static int is_sound(const triad_exchange_run *r)
{
  return r->count[0] >= 0 && r->count[1] >= 0 && r->count[2] >= 0 && (!r->list || r->count[1] * r->count[2] == 1);
}

/* Put a copy of the run behind the n that the array has. */
static int append(triad_exchange_run **runs, int n, const triad_exchange_run *run)
{
  TRIAD_TRY(grow((void **)runs, n, sizeof **runs));
  (*runs)[n] = *run;
  if (!run->list) return TRIAD_OK;
  size_t bytes = (size_t)run->count[0] * sizeof *run->list;
  int64_t *list = malloc(bytes);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of %lld offsets", (long long)run->count[0]);
  (*runs)[n].list = memcpy(list, run->list, bytes);
  return TRIAD_OK;
}

static int add(triad_exchange_run **runs, int **ranks, int *n, int peer, const triad_exchange_run *run)
{
  if (!is_sound(run)) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a run of an exchange with rank %d has bad counts", peer);
  if (triad_exchange_run_count(run) == 0) return TRIAD_OK;
  TRIAD_TRY(grow((void **)ranks, *n, sizeof **ranks));
  TRIAD_TRY(append(runs, *n, run));
  (*ranks)[(*n)++] = peer;
  return TRIAD_OK;
}

int triad_exchange_plan_send(triad_exchange_plan *p, int peer, const triad_exchange_run *run)
{
  return add(&p->send, &p->send_to, &p->n_send, peer, run);
}

int triad_exchange_plan_receive(triad_exchange_plan *p, int peer, const triad_exchange_run *run)
{
  return add(&p->receive, &p->receive_from, &p->n_receive, peer, run);
}

int triad_exchange_plan_copy(triad_exchange_plan *p, const triad_exchange_run *from, const triad_exchange_run *to)
{
  if (!is_sound(from) || !is_sound(to) || memcmp(from->count, to->count, sizeof from->count) != 0)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a copy within a rank from %lld offsets to %lld",
                      (long long)triad_exchange_run_count(from), (long long)triad_exchange_run_count(to));
  if (triad_exchange_run_count(from) == 0) return TRIAD_OK;
  TRIAD_TRY(append(&p->from, p->n_copies, from));
  int st = append(&p->to, p->n_copies, to);
  if (st != TRIAD_OK) free((void *)(uintptr_t)p->from[p->n_copies].list);
  p->n_copies += st == TRIAD_OK;
  return st;
}

/* Runs by peer, in the order of `peer` and, for one peer, as they were added. Returns how many numbers they have. */
static int sort_runs(triad_exchange_run *runs, int *ranks, int n, const triad_exchange_plan *p, int sends)
{
  triad_exchange_run *sorted = malloc((size_t)(n + 1) * sizeof *sorted);
  int at = 0;
  if (!sorted) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d runs of an exchange", n);
  for (int i = 0; i < p->n_peers; i++) {
    triad_exchange_peer *peer = &p->peer[i];
    int64_t numbers = 0;
    int first = at;
    for (int j = 0; j < n; j++) {
      if (ranks[j] != peer->rank) continue;
      numbers += triad_exchange_run_count(&runs[j]);
      sorted[at++] = runs[j];
    }
    *(sends ? &peer->first_send : &peer->first_receive) = first;
    *(sends ? &peer->n_send : &peer->n_receive) = at - first;
    *(sends ? &peer->sent : &peer->received) = numbers;
  }
  for (int i = 0; i < p->n_peers; i++)
    for (int j = 0; j < (sends ? p->peer[i].n_send : p->peer[i].n_receive); j++)
      ranks[(sends ? p->peer[i].first_send : p->peer[i].first_receive) + j] = p->peer[i].rank;
  for (int i = 0; i < n; i++) runs[i] = sorted[i];
  free(sorted);
  return TRIAD_OK;
}

static int check_ranks(const int *ranks, int n, int rank, int size)
{
  for (int i = 0; i < n; i++)
    if (ranks[i] < 0 || ranks[i] >= size || ranks[i] == rank)
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "rank %d of %d exchanges with rank %d", rank, size, ranks[i]);
  return TRIAD_OK;
}

static int has(const int *ranks, int n, int rank)
{
  for (int i = 0; i < n; i++)
    if (ranks[i] == rank) return 1;
  return 0;
}

int triad_exchange_plan_order(triad_exchange_plan *p, int rank, int size)
{
  TRIAD_TRY(check_ranks(p->send_to, p->n_send, rank, size));
  TRIAD_TRY(check_ranks(p->receive_from, p->n_receive, rank, size));
  free(p->peer);
  p->n_peers = 0;
  p->sent = p->received = 0;
  p->peer = calloc((size_t)size, sizeof *p->peer);
  if (!p->peer) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages to %d ranks", size);
  for (int step = 1; step < size; step++) {
    int r = (rank + step) % size;
    if (has(p->send_to, p->n_send, r) || has(p->receive_from, p->n_receive, r)) p->peer[p->n_peers++].rank = r;
  }
  TRIAD_TRY(sort_runs(p->send, p->send_to, p->n_send, p, 1));
  TRIAD_TRY(sort_runs(p->receive, p->receive_from, p->n_receive, p, 0));
  for (int i = 0; i < p->n_peers; i++) {
    p->peer[i].sent_before = p->sent;
    p->peer[i].received_before = p->received;
    p->sent += p->peer[i].sent;
    p->received += p->peer[i].received;
  }
  return TRIAD_OK;
}

/* expected[r]: what rank r will send here, by its own account. */
static int compare(const triad_exchange_plan *p, int rank, const int64_t *expected, int size)
{
  for (int r = 0; r < size; r++) {
    int64_t here = 0;
    for (int i = 0; i < p->n_peers; i++)
      if (p->peer[i].rank == r) here = p->peer[i].received;
    if (r != rank && here != expected[r])
      return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "rank %d sends %lld numbers to rank %d, which expects %lld", r,
                        (long long)expected[r], rank, (long long)here);
  }
  return TRIAD_OK;
}

int triad_exchange_plan_close(triad_exchange_plan *p, const triad_comm *comm)
{
  int64_t *sizes = calloc(2 * (size_t)comm->size, sizeof *sizes);
  int st = sizes ? triad_exchange_plan_order(p, comm->rank, comm->size)
                 : TRIAD_FAIL(TRIAD_ERR_MEMORY, "sizes of %d messages", comm->size);
  st = triad_agree(comm, st);
  for (int i = 0; st == TRIAD_OK && i < p->n_peers; i++) sizes[p->peer[i].rank] = p->peer[i].sent;
  if (st == TRIAD_OK) {
    int64_t *theirs = sizes + comm->size;
    st = TRIAD_MPI(MPI_Alltoall(sizes, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, comm->mpi));
    if (st == TRIAD_OK) st = compare(p, comm->rank, theirs, comm->size);
    st = triad_agree(comm, st);
  }
  free(sizes);
  return st;
}
