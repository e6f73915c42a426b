/* Correct the weights of least-squares gradients in thin bent cells (docs/methods/fct.md). */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_WEIGHTS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_WEIGHTS_H

#include "solvers/unstructured/state/domain_internal.h"

/* domain_weights.c: compute d->softening, once lists exist. */
int triad_unstructured_soften(triad_unstructured_domain *d);

#endif
