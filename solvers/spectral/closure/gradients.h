/* Gradients of the fields of a flow: their modes, for the inputs of a pass, and their values at points. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CLOSURE_GRADIENTS_H
#define TRIAD_SOLVERS_SPECTRAL_CLOSURE_GRADIENTS_H

#include "fft/pass/pass.h"

/* Gradients of the velocity that are transformed: du_i/dx_j for 3 i + j < 8; div u = 0 gives the last. */
enum { TRIAD_CLOSURE_GRADIENTS = 8 };

/* to = i k_axis from, rows of a block, which may be the same. */
void triad_closure_slope(const triad_batch *block, int axis, triad_cplx *from, triad_cplx *to);

/* out[3 i + j] = i k_j u_i for 3 i + j < 8, then the gradients of each further field, from the rows u of a block. */
void triad_closure_gradients(const triad_batch *block, int n_fields, triad_cplx *const *u, triad_cplx *const *out);

/* Add to *mean the mode k = 0 of a result, on the rank and in the block that hold it. */
void triad_closure_mean(const triad_batch *block, triad_cplx *result, double *mean);

/* The nine rows of gradients at point `from`, the last of them computed into `last` for n points. */
void triad_closure_nine(triad_real *const *gradients, int64_t from, int64_t n, triad_real *last,
                        const triad_real *rows[9]);

#endif
