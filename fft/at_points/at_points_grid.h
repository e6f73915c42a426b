/* A field and its derivatives at any points by a non-uniform transform, faster than sums over modes for many points.
 * Collective. */
#ifndef TRIAD_FFT_AT_POINTS_AT_POINTS_GRID_H
#define TRIAD_FFT_AT_POINTS_AT_POINTS_GRID_H

#include "fft/at_points/at_points_internal.h"

int triad_at_grid_create(triad_at_grid **out, const triad_at_points *at);
void triad_at_grid_destroy(triad_at_grid **grid);
void triad_at_grid_run(triad_at_points *at, unsigned wanted, const double *modes, double *values);

#endif
