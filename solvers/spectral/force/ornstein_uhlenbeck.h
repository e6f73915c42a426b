/* A force on a band of modes with a correlation time: an Ornstein-Uhlenbeck process (docs/methods/forcing.md). */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_ORNSTEIN_UHLENBECK_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_ORNSTEIN_UHLENBECK_H

#include "solvers/spectral/force/force_internal.h"

/* ornstein_uhlenbeck.c: the force of the next step, from random numbers drawn for it unless they have been drawn. */
void triad_force_noise_settle(triad_forcing *forcing, int64_t step, int drawn);
void triad_force_noise_free(triad_forcing *forcing, triad_memory *memory);

#endif
