/* Moments and histograms of a field's values at points (solvers/spectral/measure/gpu_values.h). */
#include "solvers/spectral/equations/device_measure.h"
#include "solvers/spectral/measure/gpu_values.h"

static_assert((int)TRIAD_GPU_VALUE_BLOCKS == (int)SUM_BLOCKS, "blocks of sums");

static __global__ void __launch_bounds__(SUM_THREADS)
  moments_kernel(double mean, int64_t n, const triad_real *values, double *partial)
{
  double sums[TRIAD_VALUE_POWERS] = {0};
  for (int64_t i = blockIdx.x * (int64_t)SUM_THREADS + threadIdx.x; i < n; i += (int64_t)SUM_BLOCKS * SUM_THREADS) {
    double powers[TRIAD_VALUE_POWERS];
    triad_value_powers((double)values[i] - mean, powers);
#pragma unroll
    for (int p = 0; p < TRIAD_VALUE_POWERS; p++) sums[p] += powers[p];
  }
  sum_block<TRIAD_VALUE_POWERS>(sums);
  if (threadIdx.x == 0)
#pragma unroll
    for (int p = 0; p < TRIAD_VALUE_POWERS; p++) partial[TRIAD_VALUE_POWERS * blockIdx.x + p] += sums[p];
}

/* A block counts in shared memory, and then adds to the counts of all. */
static __global__ void __launch_bounds__(SUM_THREADS)
  histogram_kernel(triad_gpu_values v, int64_t n, const triad_real *values)
{
  __shared__ unsigned int mine[TRIAD_GPU_VALUE_BINS];
  for (int b = threadIdx.x; b < v.bins; b += SUM_THREADS) mine[b] = 0;
  __syncthreads();
  for (int64_t i = blockIdx.x * (int64_t)SUM_THREADS + threadIdx.x; i < n; i += (int64_t)SUM_BLOCKS * SUM_THREADS) {
    const int bin = triad_value_bin((double)values[i], v.mean, v.scale, v.reach, v.bins);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < v.bins; b += SUM_THREADS)
    if (mine[b] > 0) atomicAdd(&v.counts[b], (unsigned long long)mine[b]);
}

extern "C" int triad_gpu_values_visit(const void *law, const triad_gpu_chunk *c)
{
  const triad_gpu_values *v = (const triad_gpu_values *)law;
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0];
  triad_real *rows = v->rows + c->slot * v->row_points;
  TRIAD_TRY(triad_gpu_x_backward(c->shape, 1, c->in, c->count, rows, c->stream));
  if (v->bins > 0) {
    TRIAD_LAUNCH(dim3(SUM_BLOCKS), dim3(SUM_THREADS), c->stream, histogram_kernel)(*v, n, rows);
    return launched("a histogram");
  }
  double *partial = v->partial + (int64_t)c->slot * SUM_BLOCKS * TRIAD_VALUE_POWERS;
  TRIAD_LAUNCH(dim3(SUM_BLOCKS), dim3(SUM_THREADS), c->stream, moments_kernel)(v->mean, n, rows, partial);
  return launched("moments");
}

extern "C" int triad_gpu_values_fold(const triad_gpu_values *v, int slots, double *sums, void *stream)
{
  return fold(v->partial, slots * SUM_BLOCKS, TRIAD_VALUE_POWERS, sums, stream);
}
