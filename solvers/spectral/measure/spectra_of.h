/* Shell spectra of fields that stand in a file, by the code that a run uses: what `triad spectra` does. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_OF_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_OF_H

#include "base/log.h"
#include "case/case.h"
#include "parallel/context.h"
#include "solvers/spectra_of.h"

/* Read the fields onto the grid of `given`, take their spectra and write them. The modes of a checkpoint are taken as
 * they are, so that the answer is that of the run, bit for bit; of physical fields, on their own points, every mode
 * that the truncation keeps: with "none" the sum of the first spectrum is mean(|u|^2)/2 of the data, the mean flow in
 * shell 0 and any compressive part included. That sum is checked against the energy, and against the physical data.
 * TRIAD_ERR_CASE where a check fails, with both numbers, and where the file does not fit the case; TRIAD_ERR_IO.
 * Collective; the message has been printed. */
int triad_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                     const triad_spectra_target *target, triad_log *log);

#endif
