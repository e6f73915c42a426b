/* Spectra as HDF5: RUN/spectra/spectra-00001200.h5, one file a time. */
#ifndef TRIAD_STORE_FORMATS_SPECTRAFILE_H
#define TRIAD_STORE_FORMATS_SPECTRAFILE_H

#include "base/precision.h"
#include "parallel/context.h"
#include "store/checkpoint/notes.h"

enum { TRIAD_SPECTRUM_DIMS = 4 };

/* An array of doubles, last dimension fastest. The arrays that a `scale` names must be 1-D, of the length of that
 * dimension and in the same file: E with scale {"k"} is E(k). An array may be its own scale, as k is. */
typedef struct triad_spectrum {
  const char *name, *units, *long_name; /* "E", "velocity^2 length", "kinetic energy per shell"  */
  int n_dims;                           /* 1 to TRIAD_SPECTRUM_DIMS                              */
  int64_t dims[TRIAD_SPECTRUM_DIMS];
  const double *values;                   /* read on rank 0 only                                   */
  const char *scale[TRIAD_SPECTRUM_DIMS]; /* NULL: none                                          */
  /* of products, in running means: arrays of the factors' means, whose product is taken away to make a covariance;
   * NULL: none */
  const char *less[2];
} triad_spectrum;

/* Rank 0 writes the file with attributes step and t under a temporary name, syncs and renames it; all ranks get its
 * status: TRIAD_ERR_IO, TRIAD_ERR_MEMORY; the message has been printed. notes may be NULL. Collective. */
int triad_spectrafile_write(const triad_context *ctx, const char *run_dir, int64_t step, double t, int n,
                            const triad_spectrum *spectra, const triad_notes *notes);

/* What is to go into one file of spectra: arrays, with names and texts that are made on the way. */
typedef struct triad_contents {
  triad_memory *memory;
  int n, most, n_texts;
  triad_spectrum *list; /* [most] */
  char *texts;
  double *values, *next; /* room for all, and what of it is not yet taken */
} triad_contents;

/* Room for `most` arrays of `values` numbers in all. TRIAD_ERR_MEMORY. Not collective. */
int triad_contents_create(triad_contents **out, triad_memory *memory, int most, int64_t values);
void triad_contents_destroy(triad_contents **contents); /* accepts NULL */

/* A further array; returns its values, zeros, which lie behind those of the one before. */
double *triad_contents_add(triad_contents *c, triad_spectrum s);

/* A text that lives as long as the contents; six for each array. */
const char *triad_contents_text(triad_contents *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A further array that is its own scale: 0, width, 2 width, .. */
void triad_contents_scale(triad_contents *c, const char *name, const char *units, const char *about, int64_t n,
                          double width);

#endif
