/* Zones: structured blocks of different sizes and orientations, joined at faces; their partition among ranks, and the
 * exchange of their halos.
 *
 * A zone has n[0] x n[1] x n[2] cells, c = (0, 0, 0) .. n - 1. Cells beyond a face, c[i] < 0 or c[i] >= n[i], belong
 * to the zone joined there; if none is joined, they are ghosts that the solver sets. All cells of all zones, zone by
 * zone, x fastest, have global numbers, so files do not depend on the partition.
 *
 * Zones are cut into parts (boxes of cells), which are assigned to ranks; every rank knows all parts. A rank's field
 * is the memory of its parts one after another, each with halos of TRIAD_ZONE_HALO cells. Across the axis along which
 * a zone is flat, for flow in two dimensions, the halo is one cell. */
#ifndef TRIAD_GRID_ZONES_H
#define TRIAD_GRID_ZONES_H

#include "base/memory.h"
#include "grid/exchange_plan.h"
#include "grid/space.h"
#include "parallel/context.h"

enum { TRIAD_ZONE_HALO = 2, TRIAD_ZONE_NOT_FLAT = -1 };

typedef struct triad_zone {
  int64_t n[3], first; /* numbers of cells; global number of the first cell */
  int flat;            /* the axis, or TRIAD_ZONE_NOT_FLAT */
} triad_zone;

/* A map from cell c of one zone to cell d of another: d[axis[i]] = offset[axis[i]] + c[i], or - c[i] if reversed[i].
 * shift: vector that is added to the position of d to get that of c, for zones joined through a period. */
typedef struct triad_zone_map {
  int zone;
  triad_orientation turn;
  int64_t offset[3];
  double shift[3];
} triad_zone_map;

/* Cells low <= c < high of the layer next to a zone's face that are joined to another zone; the map gives the cells
 * beyond. */
typedef struct triad_zone_join {
  int zone, axis, upper;
  int64_t low[3], high[3];
  triad_zone_map to;
} triad_zone_join;

/* Cells low .. low + n - 1 of a zone, owned by one rank. Cell `low` has memory index `origin`, at the start of a cache
 * line. room: entries with halos and padding. */
typedef struct triad_zone_part {
  int zone, rank;
  int64_t low[3], n[3], stride[3], halo[3], origin, room;
} triad_zone_part;

typedef struct triad_zones {
  int n, n_joins, n_parts;
  triad_zone *zone;
  /* both directions of each, sorted by zone and face; the first of a face: first_join[6 zone + 2 axis + upper] */
  triad_zone_join *join;
  int *first_join;       /* [6 n + 1] */
  triad_zone_part *part; /* of all ranks, sorted by zone; first of a zone: first_part[zone] */
  int *first_part;       /* [n + 1] */
  int64_t all;
} triad_zones;

/* Create zones of these sizes without joins; flat[zone]: the axis of one cell along which it is flat (NULL: none is).
 * TRIAD_ERR_MEMORY. Not collective, like all functions here except the plan. */
int triad_zones_create(triad_zones **out, int n, const int64_t (*cells)[3], const int *flat);
void triad_zones_destroy(triad_zones **zones);

/* Replace all joins (copied), in any order; both directions of each are required. join may be NULL for none.
 * TRIAD_ERR_MEMORY. */
int triad_zones_join(triad_zones *zones, const triad_zone_join *join, int n);

/* cell: apply a map to cell c. then: the composition of two maps, first a, then b. */
void triad_zone_map_cell(const triad_zone_map *map, const int64_t c[3], int64_t d[3]);
triad_zone_map triad_zone_map_then(const triad_zone_map *a, const triad_zone_map *b);

/* Follow a cell that may lie beyond faces of its zone through joins. Returns 1: it is cell *d of zone map->zone. 0: it
 * is beyond a face that is joined to nothing; map and *d give the last zone reached. -1: a cell beyond two faces for
 * which the joins lead to different cells, because other than four zones meet at the edge. */
int triad_zones_follow(const triad_zones *zones, int zone, const int64_t c[3], triad_zone_map *map, int64_t d[3]);

/* The part that owns cell d of a zone; the cell may be in a halo beyond the zone's faces. */
const triad_zone_part *triad_zones_owner(const triad_zones *zones, int zone, const int64_t d[3]);

static inline int64_t triad_zone_part_at(const triad_zone_part *p, const int64_t c[3])
{
  return p->origin + (c[0] - p->low[0]) + (c[1] - p->low[1]) * p->stride[1] + (c[2] - p->low[2]) * p->stride[2];
}

static inline int64_t triad_zone_part_cells(const triad_zone_part *p) { return p->n[0] * p->n[1] * p->n[2]; }

/* cells: number of a rank's cells. memory: reals in its fields. */
int64_t triad_zones_cells(const triad_zones *zones, int rank);
int64_t triad_zones_memory(const triad_zones *zones, int rank);

/* The space of a rank's cells: one dataset of all cells by global number. TRIAD_ERR_MEMORY; free it with the second
 * function. */
int triad_space_zones(triad_space *space, const triad_zones *zones, int rank);
void triad_space_zones_free(triad_space *space);

#endif
