/* What the files of a domain share while it is made. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_OWN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_OWN_H

#include "solvers/unstructured/state/domain.h"
#include "mesh/zones.h"

/* A face while they are put in order. */
typedef struct triad_fct_entry {
  int32_t left, right, face;
  uint8_t group, colour, flipped; /* group: 0 between own cells, 1 to a ghost, 2 outer */
} triad_fct_entry;

typedef struct triad_fct_making {
  triad_fct_domain *d;
  const triad_mesh *m;
  triad_fct_layout layout;
  int64_t n, n_faces;
  int32_t *list, *local, *room;      /* own cells in order; local numbers of all cells, -1: none */
  uint8_t *at_edge, *zoned, *within; /* of cells: sees a ghost, is of a zone; of faces: within a zone */
  triad_mesh_zones zones;
  triad_fct_entry *faces, *sorted;
  int64_t *bucket;
  uint64_t *taken;
  uint8_t *colour;
  int32_t (*pairs)[2];
} triad_fct_making;

static inline int triad_fct_is_own(const triad_fct_making *k, int32_t c)
{
  return c >= 0 && k->d->rank_of[c] == k->d->context->comm.rank;
}

/* domain_cells.c: own cells in order, ghosts. Cells in the coalescing order of faces, once these have colours. */
int triad_fct_place_cells(triad_fct_making *k);
void triad_fct_coalesce(triad_fct_making *k);

/* domain_faces.c: faces in order, coloured; their geometry. */
int triad_fct_place_faces(triad_fct_making *k);

/* domain_tets.c: faces between tetrahedra of which nothing need be kept, once faces are in order; what is known of
 * one of them. */
int triad_fct_find_pointed(triad_fct_making *k);
void triad_fct_pointed_geometry(const triad_fct_domain *d, int64_t face, triad_real out[TRIAD_FCT_GEOMETRY]);

/* boxes.c: which zones are of bricks: boxes, of no coordinate where one isn't; box_peel.c: these come first, without
 * their cells on sides that are not of outer faces alone. Before faces are listed. */
int triad_fct_find_boxes(triad_fct_making *k);
int triad_fct_peel_boxes(triad_fct_making *k);

/* The zone of what stands at a place among cells of zones. */
int triad_fct_zone_at(const triad_mesh_zones *zones, int64_t at);

/* box_join.c: of a side of a zone of bricks, faces to ghosts; how far away their centres are; is there one across
 * which it cannot be joined? */
typedef struct triad_fct_joint {
  int64_t faces;
  double across;
  int apart;
} triad_fct_joint;

/* joints: [n_zones * TRIAD_MESH_ZONE_SIDES], zeroed; at: of cells of the mesh their place among those of zones, -1:
 * none. */
void triad_fct_find_joints(const triad_fct_making *k, const int32_t *at, triad_fct_joint *joints);

/* The side that is joined: of those that are of such faces alone the largest; -1: none. */
int triad_fct_joined_side(const triad_mesh_zone *zone, const triad_fct_joint joints[TRIAD_MESH_ZONE_SIDES]);

/* n layers (fct_box_points.h) the other way round. */
void triad_fct_turn_layers(triad_real *layers, int64_t n);

/* box_sides.c: seams, once faces are in order, which then see twins; and faces on sides of boxes, once these have
 * geometry. */
int triad_fct_find_seams(triad_fct_domain *d);
int triad_fct_find_sides(triad_fct_domain *d);

/* The side of a box across which a face lies that has this normal, or area vector, out of it; its coordinate. */
int triad_fct_box_side_of(const triad_fct_box *box, const double normal[3], int *coordinate);

/* Cells along the two axes of a side. */
static inline int64_t triad_fct_cells_of_side(const triad_mesh_zone *zone, int side)
{
  return zone->cells / zone->n[side >> 1];
}

/* domain_rows.c: lists of cells' sides, volumes. */
int triad_fct_make_rows(triad_fct_domain *d);

/* domain_weights.c: once there are lists: d->softening. */
int triad_fct_soften(triad_fct_domain *d);

/* Cells on the other side of faces to other ranks, by rank and global number: those of others (own_side 0), or the
 * own ones that they see (1). */
int triad_fct_ghosts(const triad_fct_domain *d, int own_side, triad_fct_ghost **list, int64_t *n);

#endif
