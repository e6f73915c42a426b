/* Shell spectra of fields that stand in a file, by the code that a run uses: what `triad spectra` does. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_OF_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_OF_H

#include "case/case.h"
#include "base/log.h"
#include "parallel/context.h"
#include "store/manifest.h"

#include <stdio.h>

typedef struct triad_spectra_source {
  const char *path;            /* a checkpoint's folder, or an HDF5 file of physical fields (z, y, x) */
  const triad_manifest *about; /* of the checkpoint; NULL for physical fields                         */
  const char *shown;           /* what the user called it, safe to print                              */
  int64_t step;
  double t;
} triad_spectra_source;

typedef struct triad_spectra_target {
  FILE *table;                 /* CSV goes here, from rank 0; NULL: DIR/spectra/spectra-<step>.h5 is written */
  const char *dir;             /* made if it is not there                                             */
  const triad_notes *notes;    /* for the file                                                        */
} triad_spectra_target;

/* Read the fields onto the grid of `given`, take their spectra and write them. The modes of a checkpoint are taken as
 * they are, so that the answer is that of the run, bit for bit; of physical fields, on their own points, every mode
 * that the truncation keeps: with "none" the sum of the first spectrum is mean(|u|^2)/2 of the data, the mean flow in
 * shell 0 and any compressive part included. That sum is checked against the energy, and against the physical data.
 * TRIAD_ERR_CASE where a check fails, with both numbers, and where the file does not fit the case; TRIAD_ERR_IO.
 * Collective; the message has been printed. */
int triad_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                     const triad_spectra_target *target, triad_log *log);
int triadf_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                      const triad_spectra_target *target, triad_log *log);

#endif
