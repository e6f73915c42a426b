/* What is to go into one file of spectra: arrays, with names and texts that are made on the way. */
#ifndef TRIAD_STORE_SPECTRA_LIST_H
#define TRIAD_STORE_SPECTRA_LIST_H

#include "store/spectrafile.h"


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

/* A text that lives as long as the contents; four for each array. */
const char *triad_contents_text(triad_contents *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A further array that is its own scale: 0, width, 2 width, .. */
void triad_contents_scale(triad_contents *c, const char *name, const char *units, const char *about, int64_t n,
                          double width);

#endif
