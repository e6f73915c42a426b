/* Groups of particles in a gas on a GPU: their functions as a table, and their memory. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_PARTICLES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_GPU_PARTICLES_H

#include "solvers/compressible/particles/gpu_internal.h"

/* A group as kernels see it. */
triad_gas_members triad_gas_gpu_members(const triad_gas_particles *p, int number);

/* Room for n of a group; those that are there stay. TRIAD_ERR_MEMORY. */
int triad_gas_gpu_fit(triad_gas_particles *p, int number, int64_t n);

/* What has come of all groups since this was called last, in p->gpu->seen and the groups' `lost`. */
int triad_gas_gpu_news(triad_gas_particles *p);

#endif
