/* What a rank works on: its cells of a mesh, their faces, the ghosts of cells of other ranks, and the exchange of
 * these.
 *
 * Own cells come first, 0 .. n_cells - 1: those that see no ghost, n_inside of them, then the others; ghosts come
 * behind. Faces stand in this order: between own cells, to ghosts, outer ones. A face to a ghost is computed by both
 * ranks, from the same numbers in the same order, so that what leaves the one enters the other bit for bit. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_DOMAIN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_DOMAIN_H

#include "base/precision.h"
#include "grid/halo.h"
#include "grid/mesh_space.h"
#include "parallel/context.h"
#include "solvers/unstructured/fct_points.h"
#include "solvers/unstructured/order.h"

enum { TRIAD_FCT_MOST_GROUPS = 3 * TRIAD_FCT_COLOURS };

typedef struct triad_fct_domain {
  const triad_context *context;
  const triad_fct_mesh *mesh;
  int64_t n_cells, n_inside, n_ghosts;
  int64_t *global;                   /* [n_cells + n_ghosts] */
  triad_real *volume, *per_volume;   /* likewise             */
  triad_real (*inverse)[6];          /* [n_cells] of sum d d^T/|d|^2 over a cell's faces: xx xy xz yy yz zz */

  int64_t n_faces, n_own, n_inner;   /* own: between own cells; inner: those, and faces to ghosts */
  int32_t (*cell)[2];                /* an outer face has -1 on its right                         */
  triad_fct_face *face;
  int16_t *patch;                    /* [n_faces - n_inner] of outer faces                        */
  int64_t *first;                    /* [n_cells + 1] a cell's sides: 2 face + (0 on the left, 1 on the right) of it, */
  int32_t *side;                     /* in the order of colours                                   */

  int n_colours, n_groups;           /* faces of a group share no cell; groups go through the faces in the order of
                                      * colours; none unless they were asked for                  */
  int64_t group[TRIAD_FCT_MOST_GROUPS + 1];
  int32_t *rank_of;                  /* [mesh->n_cells] */
  triad_mesh_entries entries;        /* of the space of own cells */
} triad_fct_domain;

/* The part of `context`'s rank. coloured: faces stand by colours, for loops that add to both cells of a face; else by
 * their left cell. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for a rank with more than 2^30 - 1 faces. Not collective. The mesh
 * outlives the domain. */
int triad_fct_domain_create(triad_fct_domain **out, const triad_context *context, const triad_fct_mesh *mesh,
                            triad_fct_numbering numbering, int coloured);
void triad_fct_domain_destroy(triad_fct_domain **domain);

/* Exchange of ghosts of an array [n_cells + n_ghosts][numbers]; its fields are pointers to the first numbers of each.
 * One message a peer. Collective. */
int triad_fct_domain_halo(triad_halo **out, const triad_fct_domain *domain, int numbers);

#endif
