/* The mesh of a flow as the arithmetic of forces sees it (forces_points.h). */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_SIGHT_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_SIGHT_H

#include "solvers/staggered/points/sizes.h"
#include "solvers/staggered/state/mesh.h"

/* Pointers are to the mesh's own memory; centre: of moments, NULL: 0 0 0. Not collective. */
triad_staggered_sight triad_staggered_sight_of(const triad_staggered_mesh *mesh, double viscosity,
                                               const double centre[3]);

#endif
