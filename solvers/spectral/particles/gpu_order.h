/* Send particles on a GPU to their owners, and sort them by tiles. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_ORDER_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_ORDER_H

#include "solvers/spectral/particles/gpu_internal.h"

/* gpu_order.c: to their owners and sorted, whole: records in order too. Collective. */
int triad_gpu_particles_order(triad_gpu_particles *p, int whole);

#endif
