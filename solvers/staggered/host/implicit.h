/* Implicit diffusion: (1 - theta div grad) u = b for each component of the velocity, or for the temperature, by
 * conjugate gradients (docs/methods/staggered.md eq. 50). The matrix is symmetric in the product that weighs faces with
 * their volumes, and near the identity: few iterations do. */
#ifndef TRIAD_SOLVERS_STAGGERED_HOST_IMPLICIT_H
#define TRIAD_SOLVERS_STAGGERED_HOST_IMPLICIT_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_implicit triad_staggered_implicit;

/* TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_implicit_create(triad_staggered_implicit **out, const triad_staggered_mesh *mesh);
void triad_staggered_implicit_destroy(triad_staggered_implicit **implicit);

/* u: b, and then the answer, which may have a residual of tolerance |b|. guess: another velocity, its halos filled as
 * boundaries say. TRIAD_ERR_BLOWUP where it is not found. Collective. */
int triad_staggered_implicit_solve(triad_staggered_implicit *implicit, double theta, double tolerance,
                                   const triad_real *const guess[3], triad_real *const u[3]);

/* The same for a temperature, with cells for faces; solid cells get the guess. With insulated ends the answer has the
 * integral of b if the guess does. */
int triad_staggered_implicit_solve_heat(triad_staggered_implicit *implicit, double theta, double tolerance,
                                        const triad_real *guess, triad_real *heat);

#endif
