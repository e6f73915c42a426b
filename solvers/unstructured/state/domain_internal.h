/* Internal to the creation of a domain. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_INTERNAL_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_INTERNAL_H

#include "solvers/unstructured/state/domain.h"
#include "mesh/zones.h"

/* A face while faces are being sorted. */
typedef struct triad_unstructured_entry {
  int32_t left, right, face;
  uint8_t group, colour, flipped; /* group: 0 between own cells, 1 to a ghost, 2 outer */
} triad_unstructured_entry;

typedef struct triad_unstructured_making {
  triad_unstructured_domain *d;
  const triad_mesh *m;
  triad_unstructured_layout layout;
  int64_t n, n_faces;
  int32_t *list, *local, *room;      /* own cells in order; local numbers of all cells, -1: none */
  uint8_t *at_edge, *zoned, *within; /* for cells: sees a ghost, is in a zone; for faces: is within a zone */
  triad_mesh_zones zones;
  triad_unstructured_entry *faces, *sorted;
  int64_t *bucket;
  uint64_t *taken;
  uint8_t *colour;
  int32_t (*pairs)[2];
} triad_unstructured_making;

static inline int triad_unstructured_is_own(const triad_unstructured_making *k, int32_t c)
{
  return c >= 0 && k->d->rank_of[c] == k->d->context->comm.rank;
}

/* boxes.c: find zones of bricks (other zones get no coordinates); box_peel.c: move these to the front, without their
 * cells on sides that are not of outer faces only. Before faces are listed. */
int triad_unstructured_find_boxes(triad_unstructured_making *k);
int triad_unstructured_peel_boxes(triad_unstructured_making *k);

/* box_join.c: the faces to ghosts on a side of a zone of bricks: their number; the distance of the cell centres; 1 if
 * one of them prevents joining. */
typedef struct triad_unstructured_joint {
  int64_t faces;
  double across;
  int apart;
} triad_unstructured_joint;

/* Number of cells on a side. */
static inline int64_t triad_unstructured_cells_of_side(const triad_mesh_zone *zone, int side)
{
  return zone->cells / zone->n[side >> 1];
}

#endif
