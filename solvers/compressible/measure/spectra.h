/* Shell spectra of this instant among other arrays: for samples of running means. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_MEASURE_SPECTRA_H
#define TRIAD_SOLVERS_COMPRESSIBLE_MEASURE_SPECTRA_H

#include "solvers/compressible/state/flow.h"
#include "store/formats/spectrafile.h"

/* Add them to `into`, which has room for them. kinetic: the kinetic energy as the series has it. Collective. */
int triad_gas_spectra_take(triad_gas_flow *flow, double kinetic, triad_contents *into);

/* How many arrays and numbers they are. TRIAD_ERR_CASE. Not collective. */
int triad_gas_spectra_size(const triad_compressible_setup *setup, int *arrays, int64_t *values);

#endif
