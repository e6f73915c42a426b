/* Transfers of energy and invariants. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_TRANSFERS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_TRANSFERS_H

#include "solvers/spectral/text/set.h"

/* T and Pi of the energy, T_NAME and Pi_NAME of each invariant that is quadratic. The transfer of a mode by products at
 * points (equations.h). */
int triad_text_transfer_shape(triad_text_set *set, triad_shape *shape);
void triad_text_transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                          const triad_cplx *const *t, triad_lane_reals *transfers);

/* Has an invariant terms of two factors? */
int triad_text_is_quadratic(const triad_text_invariant *invariant);

#endif
