/* Acceleration of the fluid at particles with added mass, in a stage: begin before the rates are computed, end
 * after. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_ACCELERATION_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_ACCELERATION_H

#include "solvers/spectral/particles/particles_internal.h"

/* acceleration.c: Du/Dt at the particles of those with added mass: (u.grad) u of the stage's state, before its
 * passes; du/dt, of what they have left. Collective. */
int triad_acceleration_begin(triad_particles *p);
int triad_acceleration_end(triad_particles *p);

#endif
