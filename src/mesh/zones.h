/* Find structured zones in a mesh: boxes of hexahedra, found by walking from a side to the opposite one. Within a zone
 * neighbours follow from cell numbers. The time is proportional to the number of cells. Not collective. */
#ifndef TRIAD_MESH_ZONES_H
#define TRIAD_MESH_ZONES_H

#include "mesh/mesh.h"
#include "mesh/zone.h"

enum { TRIAD_MESH_ZONE_MIN_CELLS = 4 /* minimum number of cells along each axis */ };

typedef struct triad_mesh_zones {
  int n_zones;
  triad_mesh_zone *zone; /* `slot` counts from 0 */
  int64_t n_cells;
  int32_t *cell;      /* [n_cells] cells of the mesh, zone by zone, in the order of the zone's numbers */
  int32_t (*face)[3]; /* [n_cells] faces of the mesh across the upper x, y, z sides within the zone; -1: none */
} triad_mesh_zones;

/* Find the zones among the cells list[n] that `rank` owns. TRIAD_ERR_MEMORY. */
int triad_mesh_zones_find(triad_mesh_zones *out, const triad_mesh *mesh, const int32_t *rank_of, int rank,
                          const int32_t *list, int64_t n);
void triad_mesh_zones_free(triad_mesh_zones *zones, triad_memory *memory);

#endif
