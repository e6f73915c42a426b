/* Evaluation of fields at points on a GPU: order the points, then evaluate one field at a time. Not collective. */
#ifndef TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_RUN_H
#define TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_RUN_H

#include "fft/at_points/gpu_at_points_internal.h"

/* As triad_gpu_at_part calls them. */
int triad_gpu_at_points_place(triad_at_points *at);
int triad_gpu_at_points_run(triad_at_points *at, unsigned wanted, const double *modes, double *values);

#endif
