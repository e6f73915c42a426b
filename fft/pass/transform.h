/* Forward and backward transforms of whole fields, as passes with one side empty.
 *
 *   forward   u_k = 1/(nx ny nz) sum_x u(x) exp(-i k x)     docs/methods/spectral.md eq. (3)
 *   backward  u(x) = sum_k u_k exp(+i k x)                  docs/methods/spectral.md eq. (2)
 *
 * of a layout whose modes lean: at points x, where fields are periodic in x - skew y (grid/layout.h).
 *
 * physical[f] is this rank's planes, real [z_local][y][x], x fastest; spectral[f] its columns in the layout's
 * storage (grid/layout.h), with zeros outside the truncation and in padding lanes. */
#ifndef TRIAD_FFT_PASS_TRANSFORM_H
#define TRIAD_FFT_PASS_TRANSFORM_H

#include "fft/pass/pass.h"

/* n fields, at most what the pass was created for. Modes that the truncation drops are lost. Collective. */
int triad_forward(triad_pass *pass, const triad_layout *layout, int n, const triad_real *const *physical,
                  triad_cplx *const *spectral);
int triad_backward(triad_pass *pass, const triad_layout *layout, int n, const triad_cplx *const *spectral,
                   triad_real *const *physical);

/* For sources and sinks: a field's storage -> the rows of a block, and back with every dropped mode set to zero. */
void triad_batch_put(const triad_batch *block, const triad_cplx *field, triad_cplx *rows);
void triad_batch_keep(const triad_batch *block, triad_cplx *rows, triad_cplx *field);

#endif
