/* Area, extent and middle of the solids, to which their force coefficients refer. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_FRONTAL_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_FRONTAL_H

#include "solvers/staggered/state/mesh.h"

/* If it is 0, set area to that of the solids of the mesh, seen along the axis closest to the velocity; length to their
 * extent along the axis `up`, from the first to the last layer of cells with solids. A centre of NAN becomes the middle
 * of these extents. TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_size_solids(const triad_staggered_mesh *mesh, triad_body_reference *reference);

#endif
