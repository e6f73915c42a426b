/* Spectra as HDF5: RUN/spectra/spectra-00001200.h5, one file a time. */
#ifndef TRIAD_STORE_SPECTRAFILE_H
#define TRIAD_STORE_SPECTRAFILE_H

#include "base/precision.h"
#include "parallel/context.h"
#include "store/notes.h"


enum { TRIAD_SPECTRUM_DIMS = 4 };

/* An array of doubles, last dimension fastest. The arrays that a `scale` names must be 1-D, of the length of that
 * dimension and in the same file: E with scale {"k"} is E(k). An array may be its own scale, as k is. */
typedef struct triad_spectrum {
  const char *name, *units, *long_name; /* "E", "velocity^2 length", "kinetic energy per shell"  */
  int n_dims;                           /* 1 to TRIAD_SPECTRUM_DIMS                              */
  int64_t dims[TRIAD_SPECTRUM_DIMS];
  const double *values;                 /* read on rank 0 only                                   */
  const char *scale[TRIAD_SPECTRUM_DIMS]; /* NULL: none                                          */
} triad_spectrum;

/* Rank 0 writes the file with attributes step and t under a temporary name, syncs and renames it; all ranks get its
 * status: TRIAD_ERR_IO, TRIAD_ERR_MEMORY; the message has been printed. notes may be NULL. Collective. */
int triad_spectrafile_write(const triad_context *ctx, const char *run_dir, int64_t step, double t, int n,
                            const triad_spectrum *spectra, const triad_notes *notes);

#endif
