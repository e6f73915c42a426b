/* A stage of particles on a GPU: preparation, observation during the pass, rates, motion. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_STAGES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_STAGES_H

#include "solvers/spectral/particles/gpu_particles.h"

/* About the passes of a stage, dt being known but in the first; watch: have the first pass, whose first inputs are
 * the velocity, looked at. All accept NULL. Collective. */
int triad_gpu_particles_prepare(triad_gpu_particles *particles, const triad_scheme *scheme, int stage, double dt);
void triad_gpu_particles_watch(triad_gpu_particles *particles, triad_gpu_job *job);

/* When the passes are over, before the modes are advanced by `update`: what du/dt is, of the terms that are in it,
 * as fields (*rates)[n_fields] to which forces may be added until advance; NULL where nobody asks. Not collective. */
int triad_gpu_particles_rates(triad_gpu_particles *particles, const triad_gpu_spectral *spectral, const void *law,
                              const triad_gpu_update *update, triad_cplx *const **rates);
int triad_gpu_particles_advance(triad_gpu_particles *particles, const triad_scheme *scheme, int stage, double dt);

#endif
