/* Regions of fluid: sets of cells connected by open faces. In each the pressure is determined up to a constant. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_REGIONS_H
#define TRIAD_SOLVERS_STAGGERED_STATE_REGIONS_H

#include "solvers/staggered/state/mesh.h"

/* Find the regions again: mesh->regions, their number, and mesh->region, the region of each own cell; NULL if there is
 * only one. TRIAD_ERR_MEMORY. Collective, like all functions here. */
int triad_staggered_regions_find(triad_staggered_mesh *mesh);

/* TRIAD_ERR_CASE where fluid comes in or goes out in more regions than one: what comes in to a region must leave it. */
int triad_staggered_regions_check(const triad_staggered_mesh *mesh);

/* Subtract the mean over each region from a cell field, and set it to 0 in solids; *squares: sum of squares of the
 * result. For meshes with regions > 1. */
int triad_staggered_regions_level(const triad_staggered_mesh *mesh, triad_real *field, double *squares);

#endif
