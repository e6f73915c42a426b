/* All-to-all exchange of items, used while a mesh is partitioned. */
#ifndef TRIAD_MESH_PARTS_DELIVER_H
#define TRIAD_MESH_PARTS_DELIVER_H

#include "parallel/context.h"

/* The items of an exchange. Sent: count[r] items for rank r, in the order of ranks, in `items`. Received: n items in
 * the order of ranks, got[r] of them from rank r; the caller frees `received` (NULL on failure) and owns count and
 * got, both [ranks]. */
typedef struct triad_mesh_delivery {
  const void *items;
  int64_t bytes; /* of an item */
  const int64_t *count;
  int64_t *got, n;
  void *received;
} triad_mesh_delivery;

/* Exchange the items. status: result of this rank's earlier work; all ranks first agree on the worst. On all ranks:
 * TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for more than 2^31 - 1 items on a rank. Collective. */
int triad_mesh_exchange_items(const triad_context *context, triad_mesh_delivery *delivery, int status);

#endif
