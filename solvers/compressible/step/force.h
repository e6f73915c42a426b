/* Forces of a gas in a periodic box (docs/methods/compressible.md): an acceleration a, minus its mean over the mass,
 * which changes momentum and kinetic energy between the steps of the scheme and leaves density and internal energy at
 * each point unchanged; and cooling, which keeps the mean of the internal energy.
 *
 *   ornstein-uhlenbeck  noise of a band of modes with a correlation time, solenoidal to the share asked for
 *                       (solvers/noise.h)
 *   linear              a = A u
 *   formula             formulas of x, y, z, t, rho, u, v, w, p: half before a step, half after it
 * Formulas are for the CPU; the others act where steps are taken (gpu_force.c). Every function accepts NULL: no
 * force. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STEP_FORCE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STEP_FORCE_H

#include "base/log.h"
#include "solvers/step.h"
#include "solvers/compressible/state/compressible.h"
#include "store/checkpoint/notes.h"

typedef struct triad_gas_force triad_gas_force;

/* What the case asks for; *out stays NULL for "none". The solver's steps call it from then on. TRIAD_ERR_CASE for a
 * band without modes, TRIAD_ERR_MEMORY. Collective. */
int triad_gas_force_create(triad_gas_force **out, triad_compressible *w, const triad_case *given);
void triad_gas_force_destroy(triad_gas_force **force);

/* The state has been set, at an instant that outlives the force: numbers as a checkpoint's notes have them (NULL: a
 * start), the internal energy to keep. Collective. */
int triad_gas_force_settle(triad_gas_force *force, const triad_instant *at, const triad_notes *notes);

/* A branch, after that without notes: noise goes on from the notes of its checkpoint, and with the time all else.
 * Collective. */
int triad_gas_force_branch(triad_gas_force *force, const triad_instant *at, const triad_notes *notes, int keeps_time,
                           triad_log *log);
int triad_gas_force_keep(const triad_gas_force *force, triad_notes *notes); /* not collective */

/* The longest step in which it moves gas at rest by no more than cfl grid spacings, and changes little itself. */
double triad_gas_force_longest(const triad_gas_force *force, double cfl);

/* Means over the last step, 0 before the first: what the force has put in, what cooling has taken out; then the
 * integrals of both over all steps. */
void triad_gas_force_powers(const triad_gas_force *force, double power[TRIAD_COMPRESSIBLE_POWERS]);

#endif
