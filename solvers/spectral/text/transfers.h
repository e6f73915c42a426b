/* Transfers of energy and invariants, and which of them the nonlinear terms keep. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_TRANSFERS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_TRANSFERS_H

#include "solvers/spectral/text/set.h"

/* T and Pi of the energy, T_NAME and Pi_NAME of each invariant that is quadratic. The transfer of a mode by products at
 * points (equations.h). */
int triad_text_transfer_shape(triad_text_set *set, triad_shape *shape);
void triad_text_transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                          const triad_cplx *const *t, triad_lane_reals *transfers);

/* The rate in a mode of the energy (number -1) or an invariant, of fields u that change by n; both [bases]. */
double triad_text_form_rate(const triad_text_set *set, int invariant, const double complex *value,
                            const double complex *u, const double complex *n);

/* How far products of fields, and linear terms, are from keeping the energy (number -1) or an invariant: the sum of its
 * rates over some random modes, divided by that of their absolute values. 0 without such terms; negative: no memory. */
typedef struct triad_text_kept {
  double nonlinear, linear;
} triad_text_kept;
triad_text_kept triad_text_kept_of(const triad_text_set *set, int invariant);

#endif
