/* Structured zones of a mesh: boxes of hexahedra, found by walking from side to opposite side. Within one, who is whose
 * neighbour follows from the cells' numbers. Time grows with the number of cells. Not collective. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_ZONES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_ZONES_H

#include "solvers/unstructured/mesh.h"
#include "solvers/unstructured/zone.h"

enum { TRIAD_FCT_ZONE_LEAST = 4 /* cells along each axis */ };

typedef struct triad_fct_zones {
  int n_zones;
  triad_fct_zone *zone;  /* slot counts from 0 */
  int64_t n_cells;
  int32_t *cell;         /* [n_cells] of the mesh, zone by zone, as a zone numbers them */
  int32_t (*face)[3];    /* [n_cells] the mesh's faces across their upper sides within the zone, -1: none */
} triad_fct_zones;

/* Of the cells list[n] of `rank`. TRIAD_ERR_MEMORY. */
int triad_fct_zones_find(triad_fct_zones *out, const triad_fct_mesh *mesh, const int32_t *rank_of, int rank,
                         const int32_t *list, int64_t n);
void triad_fct_zones_free(triad_fct_zones *zones, triad_memory *memory);

#endif
