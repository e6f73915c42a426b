/* Quantities on a plane, from the sums over modes of solvers/spectral/measure/slice_sums.h. On one rank; not collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICE_IMAGE_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICE_IMAGE_H

#include "case/slice.h"
#include "solvers/spectral/measure/slice_sums.h"

#include <fftw3.h>


/* What sums a slice takes. TRIAD_ERR_CASE where the flow lacks a field that a quantity wants. */
int triad_slice_sources_of(const triad_shape *shape, const triad_slice *slice, triad_slice_sources *sources);

typedef struct triad_slice_image {
  const triad_grid *grid;
  const triad_shape *shape;
  triad_slice_plane plane;
  triad_slice_sources sources;
  int64_t n[2];        /* points along p and q */
  fftw_complex *modes; /* [p][q] */
  double *part;        /* [p][q] */
  fftw_plan plan;
} triad_slice_image;

/* Room and plan for a slice. TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. */
int triad_slice_image_create(triad_slice_image **out, triad_memory *memory, const triad_grid *grid,
                             const triad_shape *shape, const triad_slice *slice);
void triad_slice_image_destroy(triad_slice_image **image, triad_memory *memory); /* accepts NULL */

/* values[p][q] of a quantity; sums[s][p][q][2], units[s]: as in solvers/spectral/measure/slice_sums.h, over all ranks. Any one thread may call it. */
void triad_slice_image_values(triad_slice_image *image, const triad_slice_quantity *quantity, const int64_t *sums,
                              const double *units, double *values);

#endif
