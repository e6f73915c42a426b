/* Zones: structured blocks that differ in size and in the direction of their axes, joined at faces; who owns which
 * cells of them, and what must be exchanged.
 *
 * A zone has n[0] x n[1] x n[2] cells, c = (0, 0, 0) .. n - 1. Cells beyond a face, c[i] < 0 or c[i] >= n[i], are
 * those of the zone that is joined there, or ghosts that the solver sets where nothing is joined. All cells of all
 * zones, one zone after another, x fastest, have global numbers: files are the same however zones are dealt to
 * ranks.
 *
 * Zones are cut into parts, boxes of cells, and dealt to ranks; every rank knows all parts. A field of a rank is the
 * memory of its parts one after another, each with halos of TRIAD_ZONE_HALO cells, but across the axis that a zone
 * is flat along: that of one cell, where a plane stands for a flow in two dimensions. */
#ifndef TRIAD_GRID_ZONES_H
#define TRIAD_GRID_ZONES_H

#include "base/memory.h"
#include "grid/exchange_plan.h"
#include "grid/space.h"
#include "parallel/context.h"

enum { TRIAD_ZONE_HALO = 2, TRIAD_ZONE_NOT_FLAT = -1 };

typedef struct triad_zone {
  int64_t n[3], first; /* cells; global number of the first */
  int flat;            /* axis, or TRIAD_ZONE_NOT_FLAT      */
} triad_zone;

/* Cell c of one zone is cell d of another: d[axis[i]] = offset[axis[i]] + c[i], or - c[i] where reversed[i]. shift:
 * what is added to the position of d to come to that of c, of zones that are joined through a period. */
typedef struct triad_zone_map {
  int zone;
  triad_orientation turn;
  int64_t offset[3];
  double shift[3];
} triad_zone_map;

/* Cells low <= c < high of the layer next to a face of a zone: what lies beyond is another zone's, by the map. */
typedef struct triad_zone_join {
  int zone, axis, upper;
  int64_t low[3], high[3];
  triad_zone_map to;
} triad_zone_join;

/* Cells low .. low + n - 1 of a zone, owned by a rank. In memory: cell low at `origin`, where a line of memory
 * begins, strides as usual; all with halos, and what is left free before them, takes `room`. */
typedef struct triad_zone_part {
  int zone, rank;
  int64_t low[3], n[3], stride[3], halo[3], origin, room;
} triad_zone_part;

typedef struct triad_zones {
  int n, n_joins, n_parts;
  triad_zone *zone;
  triad_zone_join *join; /* both directions of each, by zone and face: first_join[6 zone + 2 axis + upper] .. */
  int *first_join;       /* [6 n + 1] */
  triad_zone_part *part; /* of all ranks, by zone: first_part[zone] .. */
  int *first_part;       /* [n + 1] */
  int64_t all;
} triad_zones;

/* Of zones of these sizes, flat along an axis of one cell each (NULL: none is), and no joins yet. TRIAD_ERR_MEMORY. Not
 * collective, like all here but the plan. */
int triad_zones_create(triad_zones **out, int n, const int64_t (*cells)[3], const int *flat);
void triad_zones_destroy(triad_zones **zones);

/* Joins in the place of those before, each of which must be there in both directions; in any order; a copy is kept.
 * None: join may be NULL. TRIAD_ERR_MEMORY. */
int triad_zones_join(triad_zones *zones, const triad_zone_join *join, int n);

/* Cut into parts for `size` ranks: each zone is cut like a box where ranks are more than zones, and in more pieces
 * than needed where that balances better; pieces go to the rank that has least. pieces > 0: cut each zone in at
 * least as many. Parts are two cells thick or more where their zone is. TRIAD_ERR_CASE where ranks would be left
 * without cells; TRIAD_ERR_MEMORY. */
int triad_zones_deal(triad_zones *zones, int size, int pieces);

/* The place of cell d of another zone that cell c of this one is by a map, and the map that takes a by b's result:
 * first a, then b. */
void triad_zone_map_cell(const triad_zone_map *map, const int64_t c[3], int64_t d[3]);
triad_zone_map triad_zone_map_then(const triad_zone_map *a, const triad_zone_map *b);

/* Follow a cell that may lie beyond faces of its zone through joins. 1: map and *d tell which cell of which zone it
 * is. 0: it lies behind a face that nothing is joined to; map and *d then tell how far it came; -1: of a cell beyond
 * two faces, joins lead to different cells: zones meet here in a number other than four. */
int triad_zones_follow(const triad_zones *zones, int zone, const int64_t c[3], triad_zone_map *map, int64_t d[3]);

/* The part that owns cell d of a zone, which may lie in a halo beyond the zone's own faces. */
const triad_zone_part *triad_zones_owner(const triad_zones *zones, int zone, const int64_t d[3]);

static inline int64_t triad_zone_part_at(const triad_zone_part *p, const int64_t c[3])
{
  return p->origin + (c[0] - p->low[0]) + (c[1] - p->low[1]) * p->stride[1] + (c[2] - p->low[2]) * p->stride[2];
}

static inline int64_t triad_zone_part_cells(const triad_zone_part *p) { return p->n[0] * p->n[1] * p->n[2]; }

/* Cells of a rank, and reals that a field of it takes. */
int64_t triad_zones_cells(const triad_zones *zones, int rank);
int64_t triad_zones_memory(const triad_zones *zones, int rank);

/* The space of a rank's cells: one dataset of all cells, by global number. TRIAD_ERR_MEMORY; give it back. */
int triad_space_zones(triad_space *space, const triad_zones *zones, int rank);
void triad_space_zones_free(triad_space *space);

/* What fills the halos of this rank's parts: both layers beyond faces, where anything is joined or cut; with edges the
 * first layer beyond two faces too. Such an edge may be the other's halo beyond a boundary, which must have been set
 * before. Edges that nothing fills are listed in left (malloc'd, *n_left of them), by place: {edge, the halo beyond one
 * of the two faces, beyond the other, the own cell next to it}, so that edge = one + other - own goes straight on.
 * Collective; TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. */
int triad_zones_plan(triad_exchange_plan **out, const triad_zones *zones, const triad_comm *comm, int edges,
                     int64_t (**left)[4], int64_t *n_left);

#endif
