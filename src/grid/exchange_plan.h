/* Which numbers of a field go to which rank: halos of a partition's blocks, faces of a staggered mesh, joined faces of
 * zones, the edges of an unstructured partition. A plan knows places in a field's memory and nothing else, so that one
 * plan serves any fields that lie alike, in either precision, on the host (halo.h) and between GPUs (gpu_halo.h).
 *
 *   triad_exchange_plan_create(&p);
 *   triad_exchange_plan_send(p, peer, &run);       any number of runs a peer
 *   triad_exchange_plan_receive(p, peer, &run);
 *   triad_exchange_plan_copy(p, &from, &to);       within this rank
 *   triad_exchange_plan_close(p, comm);            puts peers in order; both sides must agree on sizes
 *
 * A message to a peer is [field][numbers of run 0, of run 1, ..], runs in the order in which they were added; the
 * peer's runs to receive take them in its own order. One message a peer; what goes to it and what comes from it may
 * differ in size. */
#ifndef TRIAD_GRID_EXCHANGE_PLAN_H
#define TRIAD_GRID_EXCHANGE_PLAN_H

#include "parallel/comm.h"

/* Places in an order. Number (i, j, k), i fastest, lies at first + i stride[0] + j stride[1] + k stride[2]; with a
 * list, number i of count[0] lies at list[i], and count[1] = count[2] = 1. A stride may be negative. */
typedef struct triad_exchange_run {
  int64_t first, count[3], stride[3];
  const int64_t *list; /* NULL: none; a plan keeps a copy of its own */
} triad_exchange_run;

/* How the axes of two blocks lie to each other: along axis i of the one is along axis[i] of the other, backwards where
 * reversed[i]. There are 48; the 8 that keep one axis and its direction join two faces. */
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

/* The places of a run that follows this block's axes, in the order in which the other block goes through them. One side
 * of a joint does so, either; without a list. */
triad_exchange_run triad_exchange_run_oriented(const triad_exchange_run *run, const triad_orientation *to_other);

/* One rank that messages go to, come from, or both. Its runs are send[first_send] .. and receive[first_receive] .. */
typedef struct triad_exchange_peer {
  int rank, first_send, n_send, first_receive, n_receive;
  int64_t sent, received;               /* numbers of a field in a message                   */
  int64_t sent_before, received_before; /* in the messages of the peers before it            */
} triad_exchange_peer;

/* To be read by those who carry it out, not to be written. */
typedef struct triad_exchange_plan {
  int n_peers, n_send, n_receive, n_copies;
  triad_exchange_peer *peer;          /* in the order rank + 1, rank + 2, ..: no rank is everybody's first */
  triad_exchange_run *send, *receive; /* of a peer one after another, peers in their order */
  int *send_to, *receive_from;        /* [n_send], [n_receive] ranks */
  triad_exchange_run *from, *to;      /* [n_copies], of equal counts */
  int64_t sent, received;             /* numbers of a field in all messages */
} triad_exchange_plan;

int triad_exchange_plan_create(triad_exchange_plan **out); /* TRIAD_ERR_MEMORY; not collective, like all but close */
void triad_exchange_plan_destroy(triad_exchange_plan **plan);

/* Empty runs are left out. TRIAD_ERR_MEMORY; TRIAD_ERR_INTERNAL when counts are negative or those of a copy differ.
 * What is sent to this rank itself is a copy. */
int triad_exchange_plan_send(triad_exchange_plan *plan, int peer, const triad_exchange_run *run);
int triad_exchange_plan_receive(triad_exchange_plan *plan, int peer, const triad_exchange_run *run);
int triad_exchange_plan_copy(triad_exchange_plan *plan, const triad_exchange_run *from, const triad_exchange_run *to);

/* order: peers and sizes from the runs, as seen by `rank` of `size`; not collective. close: order, and every message is
 * as long as its receiver expects: TRIAD_ERR_INTERNAL otherwise, TRIAD_ERR_MEMORY. Collective; agreed. */
int triad_exchange_plan_order(triad_exchange_plan *plan, int rank, int size);
int triad_exchange_plan_close(triad_exchange_plan *plan, const triad_comm *comm);

#endif
