/* A sponge: layers that relax a gas towards a state, q' = .. - s (q - q_s) of the five conserved fields, with s and q_s
 * formulas of position (docs/methods/compressible.md). It is integrated exactly, half before and half after each step
 * (Strang 1968, SIAM J. Numer. Anal. 5, 506), outside of the operations of a force. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STEP_SPONGE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STEP_SPONGE_H

#include "solvers/compressible/state/compressible.h"

typedef struct triad_gas_sponge triad_gas_sponge;

/* That of a case, after its force; *out stays NULL where sponge.rate is not given. space: the points without halos.
 * TRIAD_ERR_CASE for a state that is no gas or a rate below 0, with the place. Collective. */
int triad_gas_sponge_create(triad_gas_sponge **out, triad_compressible *w, const triad_case *given,
                            const triad_space *space);
void triad_gas_sponge_destroy(triad_gas_sponge **sponge);

/* Has the case one? Bytes of it for these points, 0 without. */
int triad_gas_sponge_wanted(const triad_case *given);
int64_t triad_gas_sponge_bytes(const triad_case *given, int64_t points);

#endif
