/* Items for each rank, delivered all at once, while a mesh is cut. */
#ifndef TRIAD_MESH_PARTS_DELIVER_H
#define TRIAD_MESH_PARTS_DELIVER_H

#include "parallel/context.h"

/* What one rank sends: count[r] items for rank r, one rank's behind another's in `items`; and what it receives: by
 * the ranks that sent, `received`, to be freed, NULL where it failed, got[r] of rank r, n in all. The owner's:
 * count, got [ranks]. */
typedef struct triad_mesh_delivery {
  const void *items;
  int64_t bytes; /* of an item */
  const int64_t *count;
  int64_t *got, n;
  void *received;
} triad_mesh_delivery;

/* status: of what this rank did before, which all agree on first. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for more than
 * 2^31 - 1 items of a rank; on all ranks. Collective. */
int triad_mesh_exchange_items(const triad_context *context, triad_mesh_delivery *delivery, int status);

#endif
