/* Particles of a flow whose state is on GPUs, one a rank. Each group is arrays on the device: place and register, of
 * inertial ones velocity and register too, number, order; 64 bytes a tracer, 112 an inertial one, 160 one with added
 * mass, 120 a tracer of a superfluid. The fluid's velocity has no place of its own: where it is known before dt is,
 * in the first stage and between steps, the places' register, which holds nothing then, takes it.
 *
 * In a stage: those that have left this rank's planes travel, the others are sorted by tiles of planes; fields that
 * are to be divided by a spline's transform go through a pass of their own; what is summed from the velocity as it
 * is looks at the stage's own pass, chunk by chunk, before the products. The stage's motion is made where the sums
 * are. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_PARTICLES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_PARTICLES_H

#include "solvers/schemes.h"
#include "solvers/spectral/particles/gather.h"

typedef struct triad_gpu_particles triad_gpu_particles;

/* For a flow that has its stepper; the groups outlive it. two_alpha: of a superfluid, else 0. TRIAD_ERR_MEMORY.
 * Collective, and so is destroy. */
int triad_gpu_particles_create(triad_gpu_particles **out, triad_flow *flow, int n, triad_group *groups,
                               double two_alpha);
void triad_gpu_particles_destroy(triad_gpu_particles **particles); /* accepts NULL */

/* put: copy the records of all groups to the GPU. get: copy them back, after all have been sent to their owners and
 * sorted on either side. TRIAD_ERR_MEMORY. Collective. */
int triad_gpu_particles_put(triad_gpu_particles *particles);
int triad_gpu_particles_get(triad_gpu_particles *particles);

/* As triad_gather_run for all groups, between steps and after get; `from` of terms are host copies of the flow's
 * fields, in whose place the GPU's are taken. Collective. */
int triad_gpu_particles_gather(triad_gpu_particles *particles, const triad_gather_want *want, int offset,
                               double *const *out);

/* About the passes of a stage, dt being known but in the first; watch: have the first pass, whose first inputs are
 * the velocity, looked at. All accept NULL. Collective. */
int triad_gpu_particles_prepare(triad_gpu_particles *particles, const triad_scheme *scheme, int stage, double dt);
void triad_gpu_particles_watch(triad_gpu_particles *particles, triad_gpu_job *job);

/* When the passes are over, before the modes are advanced by `update`: what du/dt is, of the terms that are in it,
 * as fields (*rates)[n_fields] to which forces may be added until advance; NULL where nobody asks. Not collective. */
int triad_gpu_particles_rates(triad_gpu_particles *particles, const triad_gpu_spectral *spectral, const void *law,
                              const triad_gpu_update *update, triad_cplx *const **rates);
int triad_gpu_particles_advance(triad_gpu_particles *particles, const triad_scheme *scheme, int stage, double dt);

/* GPU memory that those of a case take on a rank whose layout is that of its device; batch: planes that its pass
 * computes at once. */
int64_t triad_gpu_particles_bytes(const triad_case *given, const triad_layout *layout, int64_t batch, int n_fields);

#endif
