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

/* domain_cells.c: sort own cells, find ghosts. coalesce: sort cells in the order of faces, once these are coloured. */
int triad_unstructured_place_cells(triad_unstructured_making *k);
void triad_unstructured_coalesce(triad_unstructured_making *k);

/* domain_faces.c: sort and colour faces; compute their geometry. */
int triad_unstructured_place_faces(triad_unstructured_making *k);

/* domain_tets.c: find faces between tetrahedra that need no stored geometry, once faces are sorted; compute the
 * geometry of one of them. */
int triad_unstructured_find_pointed(triad_unstructured_making *k);
void triad_unstructured_pointed_geometry(const triad_unstructured_domain *d, int64_t face,
                                         triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY]);

/* boxes.c: find zones of bricks (other zones get no coordinates); box_peel.c: move these to the front, without their
 * cells on sides that are not of outer faces only. Before faces are listed. */
int triad_unstructured_find_boxes(triad_unstructured_making *k);
int triad_unstructured_peel_boxes(triad_unstructured_making *k);

/* The zone of an index among cells of zones. */
int triad_unstructured_zone_at(const triad_mesh_zones *zones, int64_t at);

/* box_join.c: the faces to ghosts on a side of a zone of bricks: their number; the distance of the cell centres; 1 if
 * one of them prevents joining. */
typedef struct triad_unstructured_joint {
  int64_t faces;
  double across;
  int apart;
} triad_unstructured_joint;

/* joints: [n_zones * TRIAD_MESH_ZONE_SIDES], zeroed; at: index of each cell of the mesh among cells of zones, -1:
 * none. */
void triad_unstructured_find_joints(const triad_unstructured_making *k, const int32_t *at,
                                    triad_unstructured_joint *joints);

/* The side to join: the largest one that consists of such faces only; -1: none. */
int triad_unstructured_joined_side(const triad_mesh_zone *zone,
                                   const triad_unstructured_joint joints[TRIAD_MESH_ZONE_SIDES]);

/* Reverse the order of n layers (box_points.h). */
void triad_unstructured_turn_layers(triad_real *layers, int64_t n);

/* box_sides.c: find seams once faces are sorted, and replace their bricks by twins; find faces on sides of boxes once
 * these have geometry. */
int triad_unstructured_find_seams(triad_unstructured_domain *d);
int triad_unstructured_find_sides(triad_unstructured_domain *d);

/* The side of a box with this outward normal or area vector, and its coordinate. */
int triad_unstructured_box_side_of(const triad_unstructured_box *box, const double normal[3], int *coordinate);

/* Number of cells on a side. */
static inline int64_t triad_unstructured_cells_of_side(const triad_mesh_zone *zone, int side)
{
  return zone->cells / zone->n[side >> 1];
}

/* domain_rows.c: make the lists of cells' sides, and volumes. */
int triad_unstructured_make_rows(triad_unstructured_domain *d);

/* domain_weights.c: compute d->softening, once lists exist. */
int triad_unstructured_soften(triad_unstructured_domain *d);

/* Cells at faces to other ranks, sorted by rank and global number: those of the other ranks (own_side 0), or the own
 * ones that they see (1). */
int triad_unstructured_ghosts(const triad_unstructured_domain *d, int own_side, triad_unstructured_ghost **list,
                              int64_t *n);

#endif
