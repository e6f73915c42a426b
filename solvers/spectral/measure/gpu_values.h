/* Moments and histograms of a field's values at points on a GPU: an x pass of one field without results. Values exist
 * for the planes of a chunk only. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_VALUES_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_VALUES_H

#include "fft/gpu/gpu_pass.h"
#include "grid/value_points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_VALUE_BLOCKS = 512, TRIAD_GPU_VALUE_BINS = 256 /* at most */ };

/* Arrays are the GPU's. Chunks of different slots run at the same time, so each slot has rows and sums of its own, and
 * the sums have a fixed order; counts are whole numbers, which have none. */
typedef struct triad_gpu_values {
  double mean, scale, reach;
  int bins;         /* 0: moments; else a histogram */
  triad_real *rows; /* [slot][row_points] */
  int64_t row_points;
  double *partial;            /* [slot][TRIAD_GPU_VALUE_BLOCKS][TRIAD_VALUE_POWERS], 0 before the pass */
  unsigned long long *counts; /* [bins], 0 before the pass */
} triad_gpu_values;

/* law: a triad_gpu_values. */
triad_gpu_visit triad_gpu_values_visit;

/* sums[i], i < TRIAD_VALUE_POWERS: those of all slots, behind the pass; on the GPU, launched on `stream`. */
int triad_gpu_values_fold(const triad_gpu_values *values, int slots, double *sums, void *stream);

#ifndef __cplusplus
#include "solvers/spectral/measure/point_sums.h"

/* point_sums.h, of a state on a GPU. Products are summed on the host, and so is all of a case with
 * parallel.reproducible. TRIAD_ERR_MEMORY. Collective. */
int triad_gpu_point_sums(triad_flow *flow, triad_point_job *job);

/* Bytes of GPU memory while it does. Not collective. */
int64_t triad_gpu_point_sums_bytes(const triad_layout *layout, const triad_gpu_pass_needs *pass);
#endif

#ifdef __cplusplus
}
#endif
#endif
