/* Linear terms that couple fields, over a time, exactly: u <- exp(tau A(k)) u for each mode, with matrices that are
 * kept for the times of a scheme's stages. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_COUPLED_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_COUPLED_H

#include "solvers/spectral/flow.h"

typedef struct triad_coupling triad_coupling;

enum { TRIAD_COUPLING_TIMES = 3 /* kept at once */ };

/* *out is NULL if the equations couple nothing. here: 1 if steps on this host use the matrices, 0 if a GPU has its own.
 * TRIAD_ERR_MEMORY. Not collective: the caller agrees. Every function accepts NULL. */
int triad_coupling_create(triad_coupling **out, const triad_flow *flow, int here);
void triad_coupling_destroy(triad_coupling **coupling);

/* Make the matrices for a time tau, unless they are kept. */
void triad_coupling_set(triad_coupling *coupling, double tau);

/* Row j of a block of all fields, which is at place `at` of their storage. */
void triad_coupling_row(const triad_coupling *coupling, int64_t at, triad_cplx *const *u);

#endif
