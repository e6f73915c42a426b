/* The gas's acceleration at points, from the rates of a state, on the host. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_ACCELERATION_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_ACCELERATION_H

#include "solvers/compressible/particles/internal.h"

/* acceleration.c: du/dt of a state from its rates, at own points, halos and beyond boundaries, on the host.
 * Collective. */
void triad_gas_acceleration_bring(triad_gas_particles *p, triad_real *const *u);

/* Is the face of an axis a boundary that this rank has? */
int triad_gas_has_face(const triad_gas_particles *p, int axis, int upper);

#endif
