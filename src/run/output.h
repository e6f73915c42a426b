/* What a run writes besides the series: spectra, physical fields, checkpoints. */
#ifndef TRIAD_RUN_OUTPUT_H
#define TRIAD_RUN_OUTPUT_H

#include "run/flow.h"
#include "run/store/notes.h"

#define triad_output_spectra TRIAD_NAME(output_spectra)
#define triad_output_fields TRIAD_NAME(output_fields)
#define triad_output_checkpoint TRIAD_NAME(output_checkpoint)

/* `energy`: of the state, for the check of the sum. Collective; failures have been printed. */
int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes);
int triad_output_fields(triad_flow *flow, const char *run_dir, const triad_notes *notes);
int triad_output_checkpoint(triad_flow *flow, const char *run_dir, const triad_notes *notes);

#endif
