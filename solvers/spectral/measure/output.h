/* Files of spectra of a run. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_H

#include "solvers/spectral/flow.h"
#include "store/notes.h"

/* `energy`: of the state, for the check of the sum. Collective; failures have been printed.
 * Spectra over shells; about an axis where output.spectra_axis has one; transfers and fluxes with output.transfer. */
int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes);
/* How many doubles a file of spectra holds. Not collective. */
int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

#endif
