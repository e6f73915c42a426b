/* Shell spectra of fields in a file, with the code that a run uses: `triad spectra`. */
#ifndef TRIAD_SOLVERS_SPECTRAL_SPECTRA_OF_H
#define TRIAD_SOLVERS_SPECTRAL_SPECTRA_OF_H

#include "base/log.h"
#include "solvers/spectra_of.h"
#include "solvers/spectral/flow.h"

/* Read the fields onto the grid of `given`, compute their spectra and write them. The modes of a checkpoint are used
 * unchanged, so the result is that of the run, bit for bit. Of physical fields, on their own points, every mode that
 * the truncation keeps is used: with "none" the sum of the first spectrum is mean(|u|^2)/2 of the data, including the
 * mean flow in shell 0 and any compressive part. That sum is compared with the energy, and with the physical data.
 * TRIAD_ERR_CASE if a check fails, with both numbers, and if the file does not fit the case; TRIAD_ERR_IO. Collective;
 * the message has been printed. */
int triad_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                     const triad_spectra_target *target, triad_log *log);

#endif
