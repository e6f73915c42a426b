/* Fields at particles on a GPU, from a separate pass or from the pass of a stage. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_GATHER_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_GATHER_H

#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_particles.h"

/* gpu_gather.c: is there a group that is summed from modes divided for this order (0: undivided); with added mass,
 * or any? The pass that makes these terms at the particles of such groups, to where p->arrival says. Collective. A
 * pass to be looked at, and its end. */
int triad_gpu_gather_has(const triad_gpu_particles *p, int divided, int mass);
int triad_gpu_gather_run(triad_gpu_particles *p, const triad_gpu_terms *terms, int divided);
void triad_gpu_gather_watch(triad_gpu_particles *p, triad_gpu_job *job);
int triad_gpu_gather_finish(triad_gpu_particles *p);

/* One term a field: derivative `along` (-1: itself) of the device's fields from[n]. */
triad_gpu_terms triad_gpu_gather_terms(int n, triad_cplx *const *from, int along);

/* As triad_gather_run for all groups, between steps and after get; `from` of terms are host copies of the flow's
 * fields, in whose place the GPU's are taken. Collective. */
int triad_gpu_particles_gather(triad_gpu_particles *particles, const triad_gather_want *want, int offset,
                               double *const *out);

#endif
