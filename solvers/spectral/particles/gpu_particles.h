/* Particles of a flow whose state is on GPUs, one per rank. Each group is arrays on the device: position and register,
 * for inertial particles also velocity and its register, number, order. A tracer needs 64 bytes, an inertial particle
 * 112, with added mass 160, a tracer of a superfluid 120. The velocity of the fluid has no array of its own: when it is
 * known before dt, in the first stage and between steps, it is stored in the register of the positions, which is unused
 * then.
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

/* GPU memory that those of a case take on a rank whose layout is that of its device; batch: planes that its pass
 * computes at once. */
int64_t triad_gpu_particles_bytes(const triad_case *given, const triad_layout *layout, int64_t batch, int n_fields);

#endif
