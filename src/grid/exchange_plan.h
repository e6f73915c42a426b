/* Exchange plans: which values of a field are sent to and received from which rank. Used for halos of a partition's
 * blocks, faces of a staggered mesh, joined faces of zones, and partitioned unstructured meshes. A plan contains only
 * memory indices, so one plan serves all fields with the same memory layout, in either precision, on the host
 * (fields/halo.h) and between GPUs (fields/gpu_halo.h).
 *
 *   triad_exchange_plan_create(&p);
 *   triad_exchange_plan_send(p, peer, &run);       any number of runs per peer
 *   triad_exchange_plan_receive(p, peer, &run);
 *   triad_exchange_plan_copy(p, &from, &to);       within this rank
 *   triad_exchange_plan_close(p, comm);            sort peers; check that both sides agree on sizes
 *
 * There is one message per peer: [field][values of run 0, of run 1, ..], with runs in the order in which they were
 * added. The receiver stores it into its own runs in the order of those. The messages to and from a peer may differ in
 * size. */
#ifndef TRIAD_GRID_EXCHANGE_PLAN_H
#define TRIAD_GRID_EXCHANGE_PLAN_H

#include "parallel/comm.h"

/* Memory indices in an order. Value (i, j, k), i fastest, has index first + i stride[0] + j stride[1] + k stride[2].
 * With a list, value i of count[0] has index list[i], and count[1] = count[2] = 1. A stride may be negative. */
typedef struct triad_exchange_run {
  int64_t first, count[3], stride[3];
  const int64_t *list; /* NULL: none; the plan copies it */
} triad_exchange_run;

/* The relative orientation of two blocks: axis i of the one is parallel to axis[i] of the other, and antiparallel if
 * reversed[i]. There are 48 orientations; 8 of them, which keep one axis and its direction, join two faces. */
typedef struct triad_orientation {
  int axis[3], reversed[3];
} triad_orientation;

static inline int64_t triad_exchange_run_count(const triad_exchange_run *r)
{
  return r->count[0] * r->count[1] * r->count[2];
}

static inline triad_exchange_run triad_exchange_run_of_list(const int64_t *list, int64_t count)
{
  return (triad_exchange_run){.count = {count, 1, 1}, .list = list};
}

/* The indices of a run along this block's axes, in the order in which the other block traverses them. One of the two
 * sides of a join uses this; the run must not have a list. */
triad_exchange_run triad_exchange_run_oriented(const triad_exchange_run *run, const triad_orientation *to_other);

/* A rank with which messages are exchanged. Its runs start at send[first_send] and receive[first_receive]. */
typedef struct triad_exchange_peer {
  int rank, first_send, n_send, first_receive, n_receive;
  int64_t sent, received;               /* values per field in its messages */
  int64_t sent_before, received_before; /* values per field in the messages of earlier peers */
} triad_exchange_peer;

/* Read-only for the code that executes the plan. */
typedef struct triad_exchange_plan {
  int n_peers, n_send, n_receive, n_copies;
  /* in the order rank + 1, rank + 2, .., so that ranks do not all start with the same peer */
  triad_exchange_peer *peer;
  triad_exchange_run *send, *receive; /* sorted by peer */
  int *send_to, *receive_from;        /* [n_send], [n_receive] ranks */
  triad_exchange_run *from, *to;      /* [n_copies], of equal counts */
  int64_t sent, received;             /* values per field in all messages */
} triad_exchange_plan;

/* Create an empty plan. TRIAD_ERR_MEMORY. Not collective, like all functions here except close. */
int triad_exchange_plan_create(triad_exchange_plan **out);
void triad_exchange_plan_destroy(triad_exchange_plan **plan);

/* Add a run. Empty runs are ignored; a message to this rank itself becomes a copy. TRIAD_ERR_MEMORY;
 * TRIAD_ERR_INTERNAL if counts are negative or the counts of a copy differ. */
int triad_exchange_plan_send(triad_exchange_plan *plan, int peer, const triad_exchange_run *run);
int triad_exchange_plan_receive(triad_exchange_plan *plan, int peer, const triad_exchange_run *run);
int triad_exchange_plan_copy(triad_exchange_plan *plan, const triad_exchange_run *from, const triad_exchange_run *to);

/* order: compute peers and sizes from the runs, for `rank` of `size`; not collective. close: the same, and check that
 * every message has the size that its receiver expects: TRIAD_ERR_INTERNAL, TRIAD_ERR_MEMORY, agreed on all ranks.
 * Collective. */
int triad_exchange_plan_order(triad_exchange_plan *plan, int rank, int size);
int triad_exchange_plan_close(triad_exchange_plan *plan, const triad_comm *comm);

#endif
