/* Which quadratic forms the nonlinear and the linear terms keep. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_KEPT_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_KEPT_H

#include "solvers/spectral/text/set.h"

/* How far products of fields, and linear terms, are from keeping the energy (number -1) or an invariant: the sum of its
 * rates over some random modes, divided by that of the absolute values of all products in them. 0 without such terms;
 * negative: no memory. */
typedef struct triad_text_kept {
  double nonlinear, linear;
} triad_text_kept;
triad_text_kept triad_text_kept_of(const triad_text_set *set, int invariant);

#endif
