/* Particles in a spectral flow: groups of tracers and of small spheres, which are advanced with the flow's own stages.
 *
 * With q the register of the scheme (solvers/schemes.h), u_i(X) the velocity at the particle in a stage, tau the
 * response time, E = exp(-(c' - c) dt/tau) from a stage to the next and M_0 the M of the step's first stage
 * (docs/methods/particles.md eq. 70 to 73),
 *   tracer     N = u(X):                 X <- X + a q + b dt N,   q <- d q + e dt N
 *   inertial   N = V for X as above;     W = V - tau M_0:   W <- E (W + a p + b dt (M - M_0)),   p <- E (d p + e dt
 *              (M - M_0)),
 *              M = u(X)/tau + 3/(2 R + 1) Du/Dt(X) + (R - 1)/(R + 1/2) g - 2 Omega x (V - 3/(2 R + 1) u(X))
 * The flow's state is that of the same stage, so positions have the scheme's order. Particles do not act on the flow.
 * The inputs of a two-way force, position and velocity of each particle, are in the records between prepare and
 * advance. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_H

#include "solvers/schemes.h"
#include "solvers/spectral/plain/groups.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/step/observer.h"

typedef struct triad_particles triad_particles;

/* Does the case have any? What it says of them that needs more than a look at single keys: TRIAD_ERR_CASE. What they
 * take on a rank, on top of the flow; gpu: steps are taken on one. Not collective. */
int triad_particles_wanted(const triad_case *given);
void triad_particles_memory(const triad_case *given, const triad_layout *layout, int threads, int gpu,
                            triad_rank_needs *needs);

/* Those on a GPU (gpu_particles.h); NULL where they are on the CPU, or there are none. */
struct triad_gpu_particles *triad_particles_gpu(const triad_particles *particles);

/* The groups of a case; *out stays NULL without. Collective. */
int triad_particles_create(triad_particles **out, triad_flow *flow);
void triad_particles_destroy(triad_particles **particles); /* accepts NULL */

/* Places at the start, of those that have none from a checkpoint, for the flow as it is; inertial particles move
 * with the fluid there. Collective. */
int triad_particles_start(triad_particles *particles, triad_log *log);

/* Before the passes of a stage: each to its owner, the fluid's velocity at it; or, of those that are summed from the
 * velocity as it is, by *observer of the stage's own pass (NULL: there is none). keep: in the last pass of the
 * stage, of row j of a block at place `at` of a field, the rates n of the fields. After them: the stage's update.
 * All accept NULL. prepare and advance are collective. */
int triad_particles_prepare(triad_particles *particles, const triad_observer **observer);
void triad_particles_keep(triad_particles *particles, const triad_batch *block, int64_t j, int64_t at,
                          const triad_lane_row *n);
int triad_particles_advance(triad_particles *particles, const triad_scheme *scheme, int stage, double dt);

/* By it they go with a step that has no stages (TRIAD_SCHEME_SPLIT): stage 0 before it, stage 1 after it. */
extern const triad_scheme triad_particles_about;

/* The longest step at a Courant number: cfl times twice the shortest response time; infinite without inertial ones. */
double triad_particles_dt(const triad_particles *particles, double cfl);

#endif
