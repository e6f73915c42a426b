/* Spectra of fields that stand in a file, by the code that a run uses: what `triad spectra` asks of a solver. */
#ifndef TRIAD_SOLVERS_SPECTRA_OF_H
#define TRIAD_SOLVERS_SPECTRA_OF_H

#include "store/checkpoint/manifest.h"

#include <stdio.h>

typedef struct triad_spectra_source {
  const char *path;            /* a checkpoint's folder, or an HDF5 file of physical fields (z, y, x) */
  const triad_manifest *about; /* of the checkpoint; NULL for physical fields                         */
  const char *shown;           /* what the user called it, safe to print                              */
  int64_t step;
  double t;
} triad_spectra_source;

typedef struct triad_spectra_target {
  FILE *table;              /* CSV goes here, from rank 0; NULL: DIR/spectra/spectra-<step>.h5 is written */
  const char *dir;          /* made if it is not there                                             */
  const triad_notes *notes; /* for the file                                                        */
} triad_spectra_target;

#endif
