/* Regions of fluid: cells that hang together through open faces. In each the pressure is known but for a constant. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_REGIONS_H
#define TRIAD_SOLVERS_STAGGERED_STATE_REGIONS_H

#include "solvers/staggered/state/mesh.h"

/* Find them anew: mesh->regions, how many, and mesh->region, the number of each cell's, of own cells, NULL
 * where there is but one. TRIAD_ERR_MEMORY. Collective, as all here. */
int triad_staggered_regions_find(triad_staggered_mesh *mesh);

/* TRIAD_ERR_CASE where fluid comes in or goes out in more regions than one: what comes in to a region must leave it. */
int triad_staggered_regions_check(const triad_staggered_mesh *mesh);

/* Take the mean over each region away from a field at cells, and set it to 0 in solids; *squares: what is left,
 * squared. For meshes with regions > 1. */
int triad_staggered_regions_level(const triad_staggered_mesh *mesh, triad_real *field, double *squares);

#endif
