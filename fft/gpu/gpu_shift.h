/* The factors of a shifted grid on a GPU, set for each step. */
#ifndef TRIAD_FFT_GPU_GPU_SHIFT_H
#define TRIAD_FFT_GPU_GPU_SHIFT_H

#include "fft/gpu/gpu_lines.h"

/* Compute the factors for a grid that is shifted by this many cells along x, y, z (NULL: no shift). Tables are
 * recomputed only if the cells have changed; then all work on the device's stream is finished when the function
 * returns. */
int triad_gpu_shifts_set(triad_gpu_shifts *shifts, const double *cells, triad_gpu_shift *out);

#endif
