/* Budgets of the compressible solver on a GPU: a block of threads sums a row of points along x. */
#include "parallel/device_launch.h"
#include "solvers/compressible/gpu/gpu_compressible.h"

enum { THREADS = 128, WARPS = THREADS / 32 };

/* Sum or largest value of a warp's values, in a fixed order, on its first lane. */
template <int LARGEST> static __device__ __forceinline__ double over_warp(double value)
{
  for (int step = 16; step > 0; step /= 2) {
    double other = __shfl_down_sync(0xffffffffu, value, step);
    value = LARGEST ? fmax(value, other) : value + other;
  }
  return value;
}

template <int LARGEST> static __device__ __forceinline__ void put_row(double value, double *warp, double *out)
{
  value = over_warp<LARGEST>(value);
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < WARPS; i++) value = LARGEST ? fmax(value, warp[i]) : value + warp[i];
    *out = value;
  }
  __syncthreads();
}

static __global__ void __launch_bounds__(THREADS)
  terms_kernel(triad_compressible_gpu g, triad_compressible_differences d, double *out)
{
  __shared__ double warp[WARPS];
  int64_t row = blockIdx.x, at = g.origin + row % g.local[1] * g.stride[1] + row / g.local[1] * g.stride[2];
  double sum[TRIAD_COMPRESSIBLE_SUMS], most[TRIAD_COMPRESSIBLE_EXTREMES];
#pragma unroll
  for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) sum[s] = 0;
#pragma unroll
  for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) most[e] = -INFINITY;
  for (int64_t x = threadIdx.x; x < g.local[0]; x += THREADS) {
    double term[TRIAD_COMPRESSIBLE_SUMS], value[TRIAD_COMPRESSIBLE_EXTREMES];
    triad_compressible_terms(&d, g.u, g.primitive, at + x, term, value);
#pragma unroll
    for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) sum[s] += term[s];
#pragma unroll
    for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) most[e] = fmax(most[e], value[e]);
  }
  out += row * (TRIAD_COMPRESSIBLE_SUMS + TRIAD_COMPRESSIBLE_EXTREMES);
#pragma unroll
  for (int s = 0; s < TRIAD_COMPRESSIBLE_SUMS; s++) put_row<0>(sum[s], warp, out + s);
#pragma unroll
  for (int e = 0; e < TRIAD_COMPRESSIBLE_EXTREMES; e++) put_row<1>(most[e], warp, out + TRIAD_COMPRESSIBLE_SUMS + e);
}

extern "C" int triad_compressible_gpu_terms(const triad_compressible_gpu *g, const triad_compressible_differences *d,
                                            double *out, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)(g->local[1] * g->local[2])), dim3(THREADS), stream, terms_kernel)(*g, *d, out);
  return launched("sums of budgets");
}

static __global__ void __launch_bounds__(THREADS)
  below_kernel(triad_compressible_gpu g, triad_compressible_differences d, double bound, unsigned long long *count)
{
  int64_t row = blockIdx.x, at = g.origin + row % g.local[1] * g.stride[1] + row / g.local[1] * g.stride[2];
  unsigned mine = 0;
  for (int64_t x = threadIdx.x; x < g.local[0]; x += THREADS)
    mine += triad_compressible_divergence(&d, g.primitive, at + x) < bound;
  mine = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0 && mine > 0) atomicAdd(count, (unsigned long long)mine);
}

extern "C" int triad_compressible_gpu_below(const triad_compressible_gpu *g, const triad_compressible_differences *d,
                                            double bound, unsigned long long *count, void *stream)
{
  cudaError_t error = cudaMemsetAsync(count, 0, sizeof *count, (cudaStream_t)stream);
  if (error != cudaSuccess) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "GPU: %s", cudaGetErrorString(error));
  TRIAD_LAUNCH(dim3((unsigned)(g->local[1] * g->local[2])), dim3(THREADS), stream, below_kernel)(*g, *d, bound, count);
  return launched("the count of shocklets");
}
