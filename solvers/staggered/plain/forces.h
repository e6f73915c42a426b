/* Forces of the fluid on walls and solids: the momentum that leaves cells through closed sides. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_FORCES_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_FORCES_H

#include "solvers/staggered/points/sizes.h"
#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_forces {
  double drag[3];    /* on solids, over the density [U^2 L^2] */
  double moment[3];  /* of it about the centre of the sums [U^2 L^3] */
  double wall_shear; /* on walls that the fluid sticks to: the size of the mean along each, its mean over them [U^2] */
  double power;      /* of moving walls on the fluid, over the density [U^3 L^2]                        */
} triad_staggered_forces;

/* From sums over all cells (docs/methods/staggered.md eq. 53). Not collective. */
triad_staggered_forces triad_staggered_forces_of(const triad_staggered_mesh *mesh,
                                                 const double sums[TRIAD_STAGGERED_FORCE_SUMS]);

#endif
