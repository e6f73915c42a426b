/* What a rank works on: its cells of a mesh, their faces, the ghosts of cells of other ranks, and the exchange of
 * these.
 *
 * Own cells come first, 0 .. n_cells - 1: those of structured zones, zone by zone, zones of bricks before the
 * others; those that see no ghost; the others. Ghosts come behind, then twins, then one place for what is beyond
 * each outer face. Faces stand in this order: between own cells, to ghosts, outer ones; then those within zones that
 * are no bricks, which are in no list. A face to a ghost is computed by both ranks, from the same numbers in the
 * same order, so that what leaves the one enters the other bit for bit.
 *
 * Zones of bricks have lost their cells on sides that are not of outer faces alone: those go by lists. A listed face
 * between one of these and a brick is a seam, with the brick on its left; lists see there the brick's twin, a place
 * of its own, where is copied what they ask for. So nothing is kept of other faces of bricks, and what stages keep
 * of their cells may be kept of some layers at a time.
 *
 * One side of a zone of bricks that is of faces to ghosts alone may be joined: its cells stay bricks, it is the
 * lower side across the zone's last axis, and its faces are seams too. Other ranks are sent what the twins of its
 * bricks have. Such a face has the twin on its right where the order of the whole mesh wants it so, for which both
 * ranks compute the same; it is a turned one.
 *
 * Cells whose sides are listed are rows, in slices of TRIAD_FCT_SLICE: side number s of the row in lane l of a slice
 * is entry start[slice] + s TRIAD_FCT_SLICE + l. Rows with fewer sides than others of their slice see themselves
 * across a face without fluxes. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_H

#include "base/precision.h"
#include "grid/fields/halo.h"
#include "grid/mesh_space.h"
#include "parallel/context.h"
#include "solvers/unstructured/points/fct_box_points.h"
#include "solvers/unstructured/points/fct_tets.h"
#include "mesh/order.h"

enum { TRIAD_FCT_MOST_GROUPS = 3 * TRIAD_MESH_COLOURS };

/* A cell by its rank and number in this rank's mesh, which rises with its global number. */
typedef struct triad_fct_ghost {
  int32_t rank, cell;
} triad_fct_ghost;

/* Rows first .. first + n - 1 are cells cell + i, or list[i] where there is a list. */
typedef struct triad_fct_rows {
  int64_t first, n, cell;
  const int32_t *list;
} triad_fct_rows;

/* Rows that see no ghost; those that do; cells of zones on their zone's surface; of bricks there, which loops don't
 * ask for. */
enum { TRIAD_FCT_INSIDE, TRIAD_FCT_EDGE, TRIAD_FCT_RIM, TRIAD_FCT_SHELL, TRIAD_FCT_ROWS };

typedef struct triad_fct_domain {
  const triad_context *context;
  const triad_mesh *mesh;
  double cells_s, faces_s, rows_s; /* seconds that its parts took */
  /* inside: that see no ghost; places: cells, ghosts, twins, beyond outer faces */
  int64_t n_cells, n_inside, n_ghosts, n_places;
  /* [n_cells + n_ghosts] numbers in `mesh`, and in the whole: the same list, unless it is a part */
  int32_t *in_mesh, *global;
  triad_real *per_volume;      /* [n_places] 1/V       */
  triad_fct_numbers softening; /* [n_cells] TRIAD_FCT_SOFTENING (domain_weights.c); NULL: of no cell */

  int64_t n_faces, n_own, n_inner; /* own: between own cells; inner: those, and faces to ghosts */
  /* with faces within zones that are no bricks, some of which are not there; all faces between cells */
  int64_t n_slots, n_between;
  /* [n_faces] an outer face has -1 on its right, a seam the brick's twin on its left, a turned one on its right */
  int32_t (*cell)[2];
  /* [n_slots + 1 - n_pointed] TRIAD_FCT_GEOMETRY, a face's at triad_fct_domain_slot; the last is of zeros, of a side
   * that is not there */
  triad_fct_numbers geometry;
  /* faces between tetrahedra of which it has none: their corners tell (fct_tets.h) */
  int64_t n_pointed;
  triad_fct_kept_word *kept_words; /* which others there are of the n_inner; NULL: none, or all */
  int16_t *patch;                  /* [n_faces - n_inner] of outer faces                        */
  int32_t *face_in_mesh;           /* [n_faces] NULL unless the layout asks for it              */

  int n_zones, n_boxes; /* boxes: the first ones, which are of bricks                */
  triad_mesh_zone *zone;
  int64_t n_zoned, n_bricks; /* cells of zones, of boxes                                  */
  int32_t *rim;              /* those on the surface, in rising order                     */
  triad_fct_box *box;        /* [n_boxes]                                                 */
  uint8_t *joined;           /* [n_boxes] is a side of it joined? NULL: there are no zones of bricks */
  triad_real *layers;        /* [n_layers] of all boxes                                   */
  int64_t n_layers, n_sides, n_seams;
  int32_t *on_side;       /* [n_sides] faces on the sides of all boxes: outer ones and seams */
  int32_t *across, *twin; /* [n_sides] places of what is across these, and of twins, -1: none   */
  triad_fct_seam *seam;   /* [n_seams] by their bricks                                 */
  /* [n_faces - n_inner] what triad_fct_on_line asks for, of outer faces of bricks; of others -1; NULL: */
  int32_t *opposite;
  triad_real *part; /* there are no bricks                                       */

  triad_fct_rows rows[TRIAD_FCT_ROWS];
  int64_t n_slices, n_entries, *start; /* [n_slices + 1] */
  int32_t *near, *side;                /* [n_entries] cell across; 2 face + (0 on the left, 1 on the right) of it, in
                                      * the order of colours                                      */
  uint8_t *sides;                      /* [n_slices * TRIAD_FCT_SLICE] */

  int n_colours, n_groups; /* faces of a group share no cell; groups go through the faces in the order of
                                      * colours; none unless they were asked for                  */
  int64_t group[TRIAD_FCT_MOST_GROUPS + 1];
  int32_t *rank_of;           /* [mesh->n_cells] while it is made */
  triad_mesh_entries entries; /* of the space of own cells */
  triad_fct_ghost *seen[2];   /* cells beyond faces to other ranks; own ones there. By rank and number */
  int64_t n_seen[2];
} triad_fct_domain;

/* How: coloured: faces stand by colours, for loops that add to both cells of a face, else by their left cell.
 * structured: look for zones. bricks: find out which of them are boxes of bricks, for loops that read nothing of
 * their faces; joined: may sides of these be joined to other ranks? pointed: of faces between tetrahedra keep
 * nothing. traced: keep which face of the mesh each is. */
typedef struct triad_fct_layout {
  triad_mesh_numbering numbering;
  int coloured, structured, bricks, joined, pointed, traced;
} triad_fct_layout;

/* The part of `context`'s rank. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for a rank with more than 2^30 - 1 faces. Not
 * collective. The mesh outlives the domain. */
int triad_fct_domain_create(triad_fct_domain **out, const triad_context *context, const triad_mesh *mesh,
                            triad_fct_layout layout);
void triad_fct_domain_destroy(triad_fct_domain **domain);

static inline void triad_fct_domain_centre(const triad_fct_domain *domain, int64_t cell, double centre[3])
{
  triad_mesh_centre(domain->mesh, domain->in_mesh[cell], centre);
}

/* As steps have it, so that totals are of what they keep. */
static inline double triad_fct_domain_volume(const triad_fct_domain *domain, int64_t cell)
{
  return 1 / (double)domain->per_volume[cell];
}

/* Own cells, ghosts, twins. */
static inline int64_t triad_fct_domain_seen(const triad_fct_domain *domain)
{
  return domain->n_cells + domain->n_ghosts + domain->n_seams;
}

/* The first twin. */
static inline int64_t triad_fct_domain_twins(const triad_fct_domain *domain)
{
  return domain->n_cells + domain->n_ghosts;
}

/* Is this a turned face? */
static inline int triad_fct_domain_turned(const triad_fct_domain *domain, int64_t face)
{
  return face >= domain->n_own && face < domain->n_inner && domain->cell[face][1] >= triad_fct_domain_twins(domain);
}

/* Places whose stages are kept one by one: all but bricks, unless there is nothing but these and what is beyond
 * outer faces. */
static inline int64_t triad_fct_domain_kept(const triad_fct_domain *domain)
{
  return domain->n_cells > domain->n_bricks || domain->n_seams > 0 ? domain->n_places - domain->n_bricks : 0;
}

/* Cells whose limits have a place, since other ranks may see them: listed ones that see ghosts, which come last of
 * the own cells; where there are zones that are no bricks, whose surface others see, all cells from the first of
 * these on; then ghosts, and twins, which others see too where a side is joined. Returns how many places that is; 0:
 * there are no other ranks. */
static inline int64_t triad_fct_domain_limited(const triad_fct_domain *domain, int64_t *from)
{
  *from = domain->n_ghosts == 0               ? triad_fct_domain_seen(domain)
          : domain->n_zones > domain->n_boxes ? domain->n_bricks
                                              : domain->rows[TRIAD_FCT_EDGE].cell;
  return triad_fct_domain_seen(domain) - *from;
}

/* The zone of a cell of zones, which are in the order of their cells. */
static inline int triad_fct_domain_zone(const triad_fct_domain *domain, int64_t cell)
{
  int low = 0, high = domain->n_zones;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (domain->zone[middle].cell <= cell) low = middle;
    else high = middle;
  }
  return low;
}

/* near and face of a zone's sides, by its other numbers. */
static inline void triad_fct_zone_sides(triad_mesh_zone *zone)
{
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) {
    const int64_t down = s & 1 ? 0 : zone->stride[s >> 1];
    zone->near[s] = s & 1 ? zone->stride[s >> 1] : -down;
    zone->face[s] = zone->slot + (s >> 1) * zone->cells - zone->cell - down;
  }
}

/* Where geometry has a face; -1: nowhere. */
static inline int64_t triad_fct_domain_slot(const triad_fct_domain *domain, int64_t face)
{
  const int64_t at = triad_fct_kept(domain->kept_words, domain->n_inner, domain->n_pointed, face);
  return at < 0 ? -1 : at - domain->n_pointed;
}

/* Layers of bricks, each of `plane` cells, n of them, that stages are kept of at a time: those `asked` for, 0: as
 * many as keep a GPU busy; and TRIAD_FCT_KEPT more, which the next ones see. */
enum { TRIAD_FCT_KEPT = 3 };
int64_t triad_fct_window_layers(int64_t plane, int64_t n, int asked);

/* What view.geometry has of a face, or would have: of faces within bricks, which have numbers behind all others, and
 * of those between tetrahedra it is reckoned. The face as it was measured. */
void triad_fct_domain_geometry(const triad_fct_domain *domain, int64_t face, triad_real out[TRIAD_FCT_GEOMETRY]);
triad_fct_face triad_fct_domain_face(const triad_fct_domain *domain, int64_t face);

/* Where the sides of an own cell are: the place that functions of fct_view.h ask for, and how many there are. *zone:
 * NULL, or the zone that they follow from. */
int64_t triad_fct_domain_place(const triad_fct_domain *domain, int64_t cell, const triad_mesh_zone **zone, int *sides);

/* Exchange of ghosts of up to n_fields arrays [n_places]. One message a peer. Collective. */
int triad_fct_domain_plan(const triad_fct_domain *domain, triad_exchange_plan **plan); /* not collective */
int triad_fct_domain_halo(triad_halo **out, const triad_fct_domain *domain, int n_fields);

/* Numbers of cells or faces, n of each, zeroed. */
int triad_fct_take_numbers(triad_memory *memory, const char *owner, int64_t items, int n, triad_fct_numbers *out);

/* How far apart they lie: whole lines of memory, an odd number of them, so that they do not meet in a cache. */
static inline int64_t triad_fct_pitch(int64_t items) { return ((items / 32 + 1) | 1) * 32; }

#endif
