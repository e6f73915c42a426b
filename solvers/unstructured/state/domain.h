/* The domain of a rank: its cells of the mesh, their faces, the ghosts (cells that other ranks own), and the exchange
 * of these.
 *
 * Words used here
 *   listed cell      a cell whose sides are stored in lists (rows), for meshes of any shape
 *   zone             a box of hexahedra (mesh/zones.h), whose neighbours follow from cell numbers
 *   brick            a cell of a zone whose cells all lie between planes x, y, z = const; such a zone is a box
 *   seam             an interface face: a listed face between a brick, on its left, and a listed cell or a ghost
 *   twin             the ghost copy of the brick at a seam: an extra entry that lists read instead of the brick
 *   joined side      a side of a zone of bricks that consists of faces to ghosts only and keeps its bricks
 *   turned face      a seam of a joined side whose twin is the right cell, as the order of the whole mesh requires
 *   rim, shell       cells on the surface of zones: of zones that are no boxes; of boxes
 *
 *        zone of bricks           listed cells
 *     +-----+-----+-----+       +-----------+
 *     |     |     |  B  | seam  |     L     |      lists see the face between the twin b and L;
 *     |     |     |     ||  b  ||           |      b holds copies of the values of B that L needs,
 *     +-----+-----+-----+       +-----------+      so stages of B need be stored for some layers at a time only
 *
 * Order of cells and entries: own cells 0 .. n_cells - 1 (those of zones, zone by zone, boxes first; then listed cells
 * that see no ghost; then the others), ghosts, twins, and one entry beyond each outer face.
 *
 * Order of faces: between own cells; to ghosts; outer ones; last, faces within zones that are no boxes, which are in no
 * list. A face to a ghost is computed by both ranks, from the same numbers in the same order, so the flux that leaves
 * one rank enters the other bit for bit. A zone of bricks has lost its surface cells on all sides that are neither
 * joined nor of outer faces only: they are listed cells.
 *
 * A joined side is the lower side across the zone's last axis, and its faces are seams too; other ranks receive the
 * data of its twins.
 *
 * The sides of listed cells are stored in slices of TRIAD_UNSTRUCTURED_SLICE rows: side s of the row in lane l of a
 * slice is entry start[slice] + s TRIAD_UNSTRUCTURED_SLICE + l. Rows with fewer sides than others of their slice are
 * padded with sides to themselves across a face without fluxes. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_H

#include "base/precision.h"
#include "grid/fields/halo.h"
#include "grid/mesh_space.h"
#include "parallel/context.h"
#include "solvers/unstructured/plain/parting.h"
#include "solvers/unstructured/points/box_points.h"
#include "solvers/unstructured/points/tets.h"
#include "mesh/order.h"

enum { TRIAD_UNSTRUCTURED_MAX_GROUPS = 3 * TRIAD_MESH_COLOURS };

/* A cell by its owner and its number in this rank's mesh, which rises with its global number. */
typedef struct triad_unstructured_ghost {
  int32_t rank, cell;
} triad_unstructured_ghost;

/* Rows first .. first + n - 1 are cells cell + i, or list[i] if there is a list. */
typedef struct triad_unstructured_rows {
  int64_t first, n, cell;
  const int32_t *list;
} triad_unstructured_rows;

/* Kinds of rows: listed cells that see no ghost; those that do; cells on the surface of zones; the same of boxes,
 * which loops do not visit. */
enum {
  TRIAD_UNSTRUCTURED_INSIDE,
  TRIAD_UNSTRUCTURED_EDGE,
  TRIAD_UNSTRUCTURED_RIM,
  TRIAD_UNSTRUCTURED_SHELL,
  TRIAD_UNSTRUCTURED_ROWS
};

typedef struct triad_unstructured_domain {
  const triad_context *context;
  const triad_mesh *mesh;
  double cells_s, faces_s, rows_s; /* seconds needed by the parts of its creation */
  /* n_inside: own cells that see no ghost; n_places: entries: cells, ghosts, twins, beyond outer faces */
  int64_t n_cells, n_inside, n_ghosts, n_places;
  /* [n_cells + n_ghosts] numbers in `mesh`, and in the whole mesh: the same list unless the mesh is a part */
  int32_t *in_mesh, *global;
  triad_real *per_volume; /* [n_places] 1/V       */
  triad_unstructured_numbers
    softening; /* [n_cells] TRIAD_UNSTRUCTURED_SOFTENING (domain_weights.c); NULL: not needed for any cell */

  int64_t n_faces, n_own, n_inner; /* n_own: faces between own cells; n_inner: these and faces to ghosts */
  /* n_slots: n_faces and faces within zones that are no boxes, some of which do not exist; n_between: all faces
   * between cells */
  int64_t n_slots, n_between;
  /* [n_faces] the two cells: -1 on the right of an outer face, the twin on the left of a seam, or on the right of a
   * turned face */
  int32_t (*cell)[2];
  /* [n_slots + 1 - n_pointed] TRIAD_UNSTRUCTURED_GEOMETRY, at index triad_unstructured_domain_slot of a face; the last
   * entry is zero, for padding sides */
  triad_unstructured_numbers geometry;
  /* number of faces between tetrahedra without stored geometry, which follows from their corners (tets.h) */
  int64_t n_pointed;
  triad_unstructured_kept_word *kept_words; /* which of the other n_inner faces have geometry; NULL: none, or all */
  int16_t *patch;                           /* [n_faces - n_inner] patches of outer faces */
  int32_t *face_in_mesh; /* [n_faces] their numbers in the mesh; NULL unless the layout asks for it */

  int n_zones, n_boxes; /* n_boxes: the first zones, which consist of bricks */
  triad_mesh_zone *zone;
  int64_t n_zoned, n_bricks;   /* cells of zones, of boxes */
  int32_t *rim;                /* cells on the surface of zones, rising */
  triad_unstructured_box *box; /* [n_boxes]                                                 */
  uint8_t *joined;             /* [n_boxes] 1 if a side of it is joined; NULL: there are no boxes */
  triad_real *layers;          /* [n_layers] layer numbers of all boxes (box_points.h) */
  int64_t n_layers, n_sides, n_seams;
  int32_t *on_side;              /* [n_sides] faces on the sides of all boxes: outer faces and seams */
  int32_t *across, *twin;        /* [n_sides] entries across these faces, and twins, -1: none */
  triad_unstructured_seam *seam; /* [n_seams] sorted by brick */
  /* [n_faces - n_inner] arguments of triad_unstructured_on_line for outer faces of bricks, -1 for other faces; NULL:
   * no boxes */
  int32_t *opposite;
  triad_real *part; /* [n_faces - n_inner] like opposite */

  triad_unstructured_rows rows[TRIAD_UNSTRUCTURED_ROWS];
  int64_t n_slices, n_entries, *start; /* [n_slices + 1] */
  /* [n_entries] cell across; 2 face + (0: on the left of it, 1: on its right), sorted by colour */
  int32_t *near, *side;
  uint8_t *sides; /* [n_slices * TRIAD_UNSTRUCTURED_SLICE] number of sides of each row */

  /* colours; groups of faces that share no cell, sorted by colour; no groups unless requested */
  int n_colours, n_groups;
  int64_t group[TRIAD_UNSTRUCTURED_MAX_GROUPS + 1];
  int32_t *rank_of;           /* [mesh->n_cells] owners; during creation only */
  triad_mesh_entries entries; /* entries of the space of own cells */
  /* sorted by rank and number: cells across faces to other ranks; own cells at these faces */
  triad_unstructured_ghost *seen[2];
  int64_t n_seen[2];
} triad_unstructured_domain;

/* Options of a domain. coloured: sort faces by colour, for loops that add to both cells of a face; else by left cell.
 * structured: look for zones. bricks: find zones of bricks, for loops that read no geometry of their faces; joined:
 * sides of these may be joined to other ranks. pointed: store no geometry of faces between tetrahedra. traced: store
 * the number of each face in the mesh. */
typedef struct triad_unstructured_layout {
  triad_mesh_numbering numbering;
  int coloured, structured, bricks, joined, pointed, traced;
} triad_unstructured_layout;

/* Create the domain of `context`'s rank. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE for a rank with more than 2^30 - 1 faces.
 * Not collective. The mesh must outlive the domain. */
int triad_unstructured_domain_create(triad_unstructured_domain **out, const triad_context *context,
                                     const triad_mesh *mesh, triad_unstructured_layout layout);
void triad_unstructured_domain_destroy(triad_unstructured_domain **domain);

static inline void triad_unstructured_domain_centre(const triad_unstructured_domain *domain, int64_t cell,
                                                    double centre[3])
{
  triad_mesh_centre(domain->mesh, domain->in_mesh[cell], centre);
}

/* The volume as used by steps (rounded in the field's precision), so that totals match what steps conserve. */
static inline double triad_unstructured_domain_volume(const triad_unstructured_domain *domain, int64_t cell)
{
  return 1 / (double)domain->per_volume[cell];
}

/* Number of own cells, ghosts and twins. */
static inline int64_t triad_unstructured_domain_seen(const triad_unstructured_domain *domain)
{
  return domain->n_cells + domain->n_ghosts + domain->n_seams;
}

/* The index of the first twin. */
static inline int64_t triad_unstructured_domain_twins(const triad_unstructured_domain *domain)
{
  return domain->n_cells + domain->n_ghosts;
}

/* Returns 1 for a turned face. */
static inline int triad_unstructured_domain_turned(const triad_unstructured_domain *domain, int64_t face)
{
  return face >= domain->n_own && face < domain->n_inner &&
         domain->cell[face][1] >= triad_unstructured_domain_twins(domain);
}

/* Number of entries whose stages are stored individually: all except bricks; 0 if there are only bricks and entries
 * beyond outer faces. */
static inline int64_t triad_unstructured_domain_kept(const triad_unstructured_domain *domain)
{
  return domain->n_cells > domain->n_bricks || domain->n_seams > 0 ? domain->n_places - domain->n_bricks : 0;
}

/* The range of entries whose limits are stored because other ranks may see them: listed cells that see ghosts, which
 * are the last own cells; if there are zones that are no boxes, whose surface others see, all cells from the first of
 * these on; then ghosts, and twins, which others see if a side is joined. Returns the size of the range; 0: there are
 * no other ranks. */
static inline int64_t triad_unstructured_domain_limited(const triad_unstructured_domain *domain, int64_t *from)
{
  *from = domain->n_ghosts == 0               ? triad_unstructured_domain_seen(domain)
          : domain->n_zones > domain->n_boxes ? domain->n_bricks
                                              : domain->rows[TRIAD_UNSTRUCTURED_EDGE].cell;
  return triad_unstructured_domain_seen(domain) - *from;
}

/* The zone of a cell; zones are sorted by their cells. */
static inline int triad_unstructured_domain_zone(const triad_unstructured_domain *domain, int64_t cell)
{
  int low = 0, high = domain->n_zones;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (domain->zone[middle].cell <= cell) low = middle;
    else high = middle;
  }
  return low;
}

/* Set near and face of a zone from its other members. */
static inline void triad_unstructured_zone_sides(triad_mesh_zone *zone)
{
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) {
    const int64_t down = s & 1 ? 0 : zone->stride[s >> 1];
    zone->near[s] = s & 1 ? zone->stride[s >> 1] : -down;
    zone->face[s] = zone->slot + (s >> 1) * zone->cells - zone->cell - down;
  }
}

/* Index of a face in geometry; -1: not stored. */
static inline int64_t triad_unstructured_domain_slot(const triad_unstructured_domain *domain, int64_t face)
{
  const int64_t at = triad_unstructured_kept(domain->kept_words, domain->n_inner, domain->n_pointed, face);
  return at < 0 ? -1 : at - domain->n_pointed;
}

/* Layers of bricks, n layers of `plane` cells, whose stages are stored at a time: as many as `asked`, 0: enough to use
 * a GPU well; plus TRIAD_UNSTRUCTURED_KEPT for the next ones. */
enum { TRIAD_UNSTRUCTURED_KEPT = 3 };
int64_t triad_unstructured_window_layers(int64_t plane, int64_t n, int asked);

/* The geometry of a face as view.geometry has it or would have it: for faces within bricks, which are numbered after
 * all others, and for those between tetrahedra it is computed. The second function: the face as it was measured. */
void triad_unstructured_domain_geometry(const triad_unstructured_domain *domain, int64_t face,
                                        triad_real out[TRIAD_UNSTRUCTURED_GEOMETRY]);
triad_unstructured_face triad_unstructured_domain_face(const triad_unstructured_domain *domain, int64_t face);

/* What this rank has of the partition. Not collective. */
void triad_unstructured_domain_count(const triad_unstructured_domain *domain,
                                     int64_t out[TRIAD_UNSTRUCTURED_PART_NUMBERS]);

/* Exchange of ghosts of up to n_fields arrays [n_places], one message per peer. Collective. */
int triad_unstructured_domain_plan(const triad_unstructured_domain *domain,
                                   triad_exchange_plan **plan); /* not collective */
int triad_unstructured_domain_halo(triad_halo **out, const triad_unstructured_domain *domain, int n_fields);

/* Allocate n numbers for each cell or face, zeroed. */
int triad_unstructured_take_numbers(triad_memory *memory, const char *owner, int64_t items, int n,
                                    triad_unstructured_numbers *out);

/* The distance between arrays: whole cache lines, an odd number of them, so that arrays do not map to the same cache
 * set. */
static inline int64_t triad_unstructured_pitch(int64_t items) { return ((items / 32 + 1) | 1) * 32; }

#endif
