/* The end of a step of particles on a GPU: boundaries, exchange with other ranks, sorting by tiles. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_SETTLE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_SETTLE_H

#include "solvers/compressible/particles/gpu_internal.h"

/* gpu_settle.c */
int triad_gas_gpu_settle(triad_gas_particles *p);

#endif
