/* Transfer spectra and fluxes: T(s), the sum over shell s of w_k Re conj(u_k).N(u)_k, and Pi(s) = -sum_{s' <= s} T(s')
 * (docs/methods/statistics.md#shells-and-spectra). N is what the nonlinear terms give each mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_TRANSFER_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_TRANSFER_H

#include "parallel/sum.h"
#include "solvers/spectral/flow.h"

/* How many transfers are to be written with spectra: those of the equations; 0 where output.transfer is false, and
 * without truncation, where products alias and no sum need vanish. */
int triad_transfer_count(const triad_case *given, const triad_equations *equations, const triad_shape *shape);

/* transfer[i * shells + s] and flux[i * shells + s], i < shape.n_transfers, shells = triad_shell_count(grid).
 * Evaluates the nonlinear term once for each of shape.n_parts, as a stage of a step does; the state stays as it is.
 * Where a transfer is said to conserve, its sum is checked to be 0 to round-off (unless grid.truncation is "none"):
 * TRIAD_ERR_INTERNAL otherwise, which a velocity with a divergence brings about too. Collective; failures have been
 * agreed on. */
int triad_transfer_shells(triad_flow *flow, double *transfer, double *flux);

/* The row of the CPU in the table of measure/loops.h. */
int triad_transfer_host(triad_flow *flow, int64_t n, triad_sum **sums);

#endif
