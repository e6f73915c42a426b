/* Internal to gpu_at_points: creation (gpu_at_points.c) and evaluation (gpu_at_points_run.c). */
#ifndef TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_INTERNAL_H
#define TRIAD_FFT_AT_POINTS_GPU_AT_POINTS_INTERNAL_H

#include "fft/at_points/at_points_internal.h"
#include "fft/gpu/cufft.h"
#include "fft/at_points/gpu_at_points.h"

enum { TRIAD_GPU_AT_HELD = 24 };

struct triad_gpu_at_points {
  triad_device *device;
  triad_gpu_at shape;
  double *modes, *lines, *place, *values; /* complex; complex; [i][3]; [number][point] */
  int64_t *order;
  triad_gpu_at_planes planes;
  int64_t batch, batches; /* lines of a plan, and how often */
  int64_t tiles;          /* along z, of points that a piece serves */
  int planned[2];
  cufftHandle along_z, of_planes;
  void *area; /* cuFFT's */
  void *held[TRIAD_GPU_AT_HELD];
  int n_held;
};

#endif
