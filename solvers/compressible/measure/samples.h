/* Samples of the state for running means, output.means: of density, velocity, pressure, temperature T = gamma p/rho and
 * log_rho = ln rho at the points, of which all have the same volume. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_MEASURE_SAMPLES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_MEASURE_SAMPLES_H

#include "solvers/compressible/state/flow.h"

/* As in solvers/solver.h: the arrays of the current state (store/formats/sample_arrays.h). Sums are exact, so that they
 * are the same on any numbers of ranks and threads. Collective. */
int triad_gas_samples(void *flow, const double *columns, triad_contents **out);

/* Bytes of a rank while a sample is taken; whether the case can have what it asks for (TRIAD_ERR_CASE). Not
 * collective. */
int64_t triad_gas_samples_bytes(const triad_compressible_setup *setup, const triad_case *given, int64_t points,
                                int threads);
int triad_gas_samples_check(const triad_compressible_setup *setup, const triad_case *given);

#endif
