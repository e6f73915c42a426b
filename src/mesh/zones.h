/* Structured zones of a mesh: boxes of hexahedra, found by walking from side to opposite side. Within one, who is whose
 * neighbour follows from the cells' numbers. Time grows with the number of cells. Not collective. */
#ifndef TRIAD_MESH_ZONES_H
#define TRIAD_MESH_ZONES_H

#include "mesh/mesh.h"
#include "mesh/zone.h"

enum { TRIAD_MESH_ZONE_MIN_CELLS = 4 /* cells along each axis */ };

typedef struct triad_mesh_zones {
  int n_zones;
  triad_mesh_zone *zone; /* slot counts from 0 */
  int64_t n_cells;
  int32_t *cell;      /* [n_cells] of the mesh, zone by zone, as a zone numbers them */
  int32_t (*face)[3]; /* [n_cells] the mesh's faces across their upper sides within the zone, -1: none */
} triad_mesh_zones;

/* Of the cells list[n] of `rank`. TRIAD_ERR_MEMORY. */
int triad_mesh_zones_find(triad_mesh_zones *out, const triad_mesh *mesh, const int32_t *rank_of, int rank,
                          const int32_t *list, int64_t n);
void triad_mesh_zones_free(triad_mesh_zones *zones, triad_memory *memory);

#endif
