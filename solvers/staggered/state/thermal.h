/* Ghosts of the temperature beyond the ends of the box, and the mesh as its sums see it (heat_points.h). */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_THERMAL_H
#define TRIAD_SOLVERS_STAGGERED_STATE_THERMAL_H

#include "solvers/staggered/points/heat_points.h"
#include "solvers/staggered/state/mesh.h"

/* Pointers are to the mesh's own memory. Not collective. */
triad_staggered_heat_sight triad_staggered_heat_sight_of(const triad_staggered_mesh *mesh);

/* Halos of a temperature, from other ranks and beyond the ends of the box; change: of a change of it, which is 0 where
 * it is held. Collective. */
void triad_staggered_fill_heat(const triad_staggered_mesh *mesh, int change, triad_real *heat);

/* Set the temperature in solid cells to solids.temperature. Not collective. */
void triad_staggered_heat_solids(const triad_staggered_mesh *mesh, triad_real *heat);

#endif
