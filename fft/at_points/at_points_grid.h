/* Evaluate a field at points by a non-uniform transform: divide modes by the transform of the window, transform them
 * to the fine grid with FFTW, and sum the grid under the window of each point. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_GRID_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_GRID_H

#include "fft/at_points/at_points_internal.h"

int triad_at_grid_create(triad_at_grid **out, const triad_at_points *at);
void triad_at_grid_destroy(triad_at_grid **grid);
void triad_at_grid_run(triad_at_points *at, unsigned wanted, const double *modes, double *values);

#endif
