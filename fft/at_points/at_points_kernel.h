/* The Kaiser-Bessel kernel of the non-uniform transform, as polynomials between grid points. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_KERNEL_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_KERNEL_H

#include "fft/at_points/at_points_internal.h"

void triad_kernel_make(triad_kernel *kernel);

/* The deconvolution factor of mode k on a grid of n points: 1/sum_j phi(..) exp(..), without aliases of the grid. */
double triad_kernel_undo(int64_t k, int64_t n);

#endif
