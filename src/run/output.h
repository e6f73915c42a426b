/* What a run writes besides the series: spectra, physical fields, checkpoints. */
#ifndef TRIAD_RUN_OUTPUT_H
#define TRIAD_RUN_OUTPUT_H

#include "run/flow.h"
#include "run/store/notes.h"

#define triad_output_spectra TRIAD_NAME(output_spectra)
#define triad_output_spectra_values TRIAD_NAME(output_spectra_values)
#define triad_output_fields TRIAD_NAME(output_fields)
#define triad_output_checkpoint TRIAD_NAME(output_checkpoint)

/* `energy`: of the state, for the check of the sum. Collective; failures have been printed.
 * Spectra over shells; about an axis where output.spectra_axis has one; transfers and fluxes with output.transfer. */
int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes);
/* How many doubles a file of spectra holds. Not collective. */
int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
int triad_output_fields(triad_flow *flow, const char *run_dir, const triad_notes *notes);
int triad_output_checkpoint(triad_flow *flow, const char *run_dir, const triad_notes *notes);

#endif
