/* Spectra of fields in a file, with the code that a run uses: the interface of `triad spectra` to a solver. */
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
  const char *dir;          /* created if it does not exist */
  const triad_notes *notes; /* for the file                                                        */
} triad_spectra_target;

#endif
