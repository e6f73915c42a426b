/* Shell spectra of the state: sums of quadratic densities over shells (run/shells.h). */
#ifndef TRIAD_RUN_SPECTRA_H
#define TRIAD_RUN_SPECTRA_H

#include "run/flow.h"

#define triad_spectra_shells TRIAD_NAME(spectra_shells)

/* values[i * shells + s], i < equations->n_spectra, shells = triad_shell_count(grid); exact sums, the same on any
 * number of ranks and threads. `energy` is checked to be the sum of the first spectrum to round-off
 * (TRIAD_ERR_INTERNAL otherwise). Collective. */
int triad_spectra_shells(triad_flow *flow, double energy, double *values);

#endif
