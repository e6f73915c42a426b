/* Memory of particle groups on a GPU; copies of the host's records to it and back. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_RECORDS_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_RECORDS_H

#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_particles.h"

/* gpu_records.c: allocate memory for n particles of a group, with 10 % reserve if there are other ranks; existing ones
 * are kept. TRIAD_ERR_MEMORY. */
int triad_gpu_members_fit(triad_gpu_particles *p, int number, int64_t n);

/* put: copy the records of all groups to the GPU. get: copy them back, after all have been sent to their owners and
 * sorted on either side. TRIAD_ERR_MEMORY. Collective. */
int triad_gpu_particles_put(triad_gpu_particles *particles);
int triad_gpu_particles_get(triad_gpu_particles *particles);

#endif
