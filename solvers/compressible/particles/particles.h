/* Particles in a gas: groups of tracers and of small spheres, carried along with the flow's own stages.
 *
 * With N = u(X) of a tracer and V of a sphere, M = (u(X) - V)/tau + 3/(2 R + 1) Du/Dt(X) + (R - 1)/(R + 1/2) g, X
 * and V take each stage of the scheme as the state does (solvers/schemes.h): positions have its order. u(X) is the
 * polynomial through 2, 4 or 6 points about X along each axis, of the velocity of the stage's state, whose points
 * beyond a boundary are those of the boundary (docs/methods/particles.md). */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_PARTICLES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_PARTICLES_H

#include "base/log.h"
#include "base/precision.h"
#include "case/case.h"
#include "grid/partition.h"
#include "parallel/context.h"
#include "solvers/info.h"
#include "solvers/needs.h"
#include "solvers/schemes.h"
#include "solvers/step.h"
#include "solvers/compressible/case/setup.h"
#include "solvers/compressible/state/compressible.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/notes.h"
#include "store/checkpoint/tables.h"

typedef struct triad_gas_particles triad_gas_particles;

/* Has the case any? What they take: memory of a rank and of its GPU, bytes of a row of their files and of a
 * checkpoint. Not collective. */
int triad_gas_particles_wanted(const triad_case *given);
void triad_gas_particles_check(const triad_case *given, const triad_compressible_setup *setup,
                               const triad_partition *blocks, int on_gpu, triad_needs *needs);

/* The groups of a case, in a flow on these blocks; *out stays NULL without. device: the GPU that the flow's steps
 * are taken on; NULL for the CPU. setup, given and weno outlive it. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Collective. */
int triad_gas_particles_create(triad_gas_particles **out, triad_context *context, const triad_case *given,
                               const triad_compressible_setup *setup, const triad_partition *blocks,
                               triad_compressible *weno, triad_device *device);
void triad_gas_particles_destroy(triad_gas_particles **particles); /* accepts NULL */

/* Those without a place from a checkpoint are placed in the present state; spheres move with the gas there. Accepts
 * NULL. Collective. */
int triad_gas_particles_start(triad_gas_particles *particles, triad_log *log);

/* Where the rates of a stage's state are wanted, before it, by those with added mass: five fields as the flow's,
 * where steps are taken; NULL: nowhere. */
triad_real *const *triad_gas_particles_rates(triad_gas_particles *particles);

/* A stage of the scheme's, in the state u of its vector `in`, whose velocities have been brought
 * (triad_compressible_velocity) and whose rates are there; the end of a step: boundaries, and to their owners. Accept
 * NULL. TRIAD_ERR_CASE where one has moved by more than a point. Collective. */
int triad_gas_particles_stage(triad_gas_particles *particles, triad_real *const *u, const triad_scheme_update *update);
int triad_gas_particles_settle(triad_gas_particles *particles);

#endif
