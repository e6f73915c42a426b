/* The sums over modes that a plane of physical space is made of (plain/slice_image.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICE_SUMS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SLICE_SUMS_H

#include "solvers/spectral/plain/slice_image.h"

/* scale[f]: largest |re|, |im| of field f, and of flow->pressure where it is, over all ranks; infinity where a value
 * is not finite. Collective. */
int triad_slice_scales(const triad_flow *flow, double *scale);

/* sums[s][p][q][2]: real and imaginary part of F of this rank's modes, in units of units[s]: 0 where all is zero,
 * NaN where nothing is known. scale as above. Not collective, but the same units on every rank. phases: room for 2
 * (2 K + 1) numbers, K the largest of the grid's. All in one parallel region: on busy cores it is the meeting of
 * threads that costs. */
void triad_slice_sums(const triad_flow *flow, const triad_slice_plane *plane, const triad_slice_sources *sources,
                      const double *scale, double *phases, int64_t *sums, double *units);

#endif
