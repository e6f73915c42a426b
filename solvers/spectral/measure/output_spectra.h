/* Files of spectra of a run. output_1d.h has the arrays along lines. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_SPECTRA_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_SPECTRA_H

#include "solvers/spectral/flow.h"
#include "store/checkpoint/notes.h"
#include "store/formats/spectrafile.h"

/* `energy`: of the state, for the check of the sum. Collective; failures have been printed.
 * Spectra over shells; about an axis where output.spectra_axis has one; transfers and fluxes with output.transfer. */
int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes);
/* Those over shells and about an axis, with transfers and fluxes, into contents with room for so many arrays and
 * values. */
int triad_output_shells(triad_contents *c, triad_flow *flow, double energy);
int triad_output_shells_most(const triad_shape *shape);
int64_t triad_output_shells_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* How many doubles a file of spectra holds. Not collective. */
int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

#endif
