/* Samples of the state for running means, output.means. */
#ifndef TRIAD_SOLVERS_STAGGERED_MEASURE_SAMPLES_H
#define TRIAD_SOLVERS_STAGGERED_MEASURE_SAMPLES_H

#include "solvers/staggered/state/flow.h"

/* What running means are taken of, as in solvers/solver.h, collective; bytes of a rank while a sample is taken,
 * and whether the case can have what it asks for (TRIAD_ERR_CASE), neither collective. */
int triad_staggered_samples(void *flow, const double *columns, triad_contents **out);
int64_t triad_staggered_samples_bytes(const triad_staggered_setup *setup, const triad_case *given, int threads);
int triad_staggered_samples_check(const triad_staggered_setup *setup, const triad_case *given);

#endif
