/* Kernels of operations on a gas between its steps: forces, cooling, sponges (solvers/compressible/gpu/gpu_force.h). */
#include "parallel/device_twice.h"
#include "solvers/compressible/points/force_points.h"
#include "solvers/compressible/gpu/gpu_force.h"

enum { THREADS = 128 };

static __device__ __forceinline__ int64_t row_at(const triad_gas_gpu_points &p, int64_t row)
{
  return p.origin + row % p.n[1] * p.stride[0] + row / p.n[1] * p.stride[1];
}

/* ---- forces ---- */

/* What modes of each kx add up to in a row, sums[kx][component][re, im]; a thread a number. */
static __device__ __forceinline__ void waves_of_row(const triad_gas_gpu_points &p, const triad_gas_gpu_change &c,
                                                    int64_t row, double *sums)
{
  for (int j = (int)threadIdx.x; j < 6 * c.kinds; j += THREADS) {
    double sum = 0;
    for (int m = 0; m < c.count; m++) {
      double yr, yi, zr, zi;
      if (c.k[m][0] != j / 6) continue;
      triad_gas_wave_at(c.wave[1], p.n[1], c.k[m][1], row % p.n[1], &yr, &yi);
      triad_gas_wave_at(c.wave[2], p.n[2], c.k[m][2], row / p.n[1], &zr, &zi);
      const double re = yr * zr - yi * zi, im = yr * zi + yi * zr, *f = c.normal + 6 * m + j % 6 / 2 * 2;
      sum += 2 * c.size * (j % 2 == 0 ? f[0] * re - f[1] * im : f[0] * im + f[1] * re);
    }
    sums[j] = sum;
  }
}

static __device__ __forceinline__ void change_at(const triad_gas_gpu_points &p, const triad_gas_gpu_change &c,
                                                 const double *sums, int64_t x, int64_t i, double du[3])
{
  for (int a = 0; a < 3; a++) du[a] = c.count > 0 ? 0 : c.growth * (double)p.u[1 + a][i] / (double)p.u[0][i];
  for (int k = 0; k < (c.count > 0 ? c.kinds : 0); k++) {
    const double re = c.wave[0][2 * (k * p.n[0] + x)], im = c.wave[0][2 * (k * p.n[0] + x) + 1];
    for (int a = 0; a < 3; a++) du[a] += sums[6 * k + 2 * a] * re - sums[6 * k + 2 * a + 1] * im;
  }
  for (int a = 0; a < 3 && c.count > 0; a++) du[a] *= c.dt;
}

/* Terms of the sums at a point; ACTS: once the change has come about. */
template <int ACTS>
static __device__ __forceinline__ void terms_at(const triad_gas_gpu_points &p, int64_t i, const double du[3],
                                                const double mean[3], double terms[TRIAD_GAS_GPU_SUMS])
{
  if (ACTS) {
    const double d[3] = {du[0] - mean[0], du[1] - mean[1], du[2] - mean[2]};
    terms[0] = triad_gas_kick(p.u, i, d);
    terms[1] = (double)p.u[4][i] - triad_gas_kinetic(p.u, i);
  } else {
    const double rho = (double)p.u[0][i];
    terms[0] = rho;
    for (int a = 0; a < 3; a++) terms[1 + a] = rho * du[a];
  }
}

struct three {
  double at[3];
};

template <int ACTS>
static __global__ void __launch_bounds__(THREADS)
  push(const triad_gas_gpu_points p, const triad_gas_gpu_change c, const three mean, triad_gas_gpu_part *parts)
{
  enum { SUMS = ACTS ? 2 : TRIAD_GAS_GPU_SUMS };
  __shared__ double sums[6 * TRIAD_GAS_GPU_WAVES];
  triad_twice sum[SUMS];
  for (int s = 0; s < SUMS; s++) sum[s].sum = sum[s].rest = 0;
  for (int64_t row = blockIdx.x; row < p.n[1] * p.n[2]; row += gridDim.x) {
    const int64_t at = row_at(p, row);
    __syncthreads();
    waves_of_row(p, c, row, sums);
    __syncthreads();
    for (int64_t x = threadIdx.x; x < p.n[0]; x += THREADS) {
      double du[3], terms[TRIAD_GAS_GPU_SUMS];
      change_at(p, c, sums, x, at + x, du);
      terms_at<ACTS>(p, at + x, du, mean.at, terms);
      for (int s = 0; s < SUMS; s++) sum[s] = triad_twice_add(sum[s], terms[s], 0);
    }
  }
  for (int s = 0; s < SUMS; s++) {
    sum[s] = triad_twice_of_block(sum[s], (int)threadIdx.x, THREADS);
    if (threadIdx.x > 0) continue;
    parts[blockIdx.x].sum[s] = sum[s].sum;
    parts[blockIdx.x].rest[s] = sum[s].rest;
  }
}

extern "C" int triad_gas_gpu_push(const triad_gas_gpu_points *p, const triad_gas_gpu_change *c, const double *mean,
                                  int blocks, triad_gas_gpu_part *parts, void *stream)
{
  const three out = {{mean ? mean[0] : 0, mean ? mean[1] : 0, mean ? mean[2] : 0}};
  if (mean) TRIAD_LAUNCH(dim3((unsigned)blocks), dim3(THREADS), stream, push<1>)(*p, *c, out, parts);
  else TRIAD_LAUNCH(dim3((unsigned)blocks), dim3(THREADS), stream, push<0>)(*p, *c, out, parts);
  return launched("a force");
}

/* ---- cooling, sponges: a block a row ---- */

static __global__ void __launch_bounds__(THREADS) scale_internal(const triad_gas_gpu_points p, double factor)
{
  const int64_t at = row_at(p, blockIdx.x);
  for (int64_t x = threadIdx.x; x < p.n[0]; x += THREADS) triad_gas_scale_internal(p.u, at + x, factor);
}

extern "C" int triad_gas_gpu_scale_internal(const triad_gas_gpu_points *p, double factor, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)(p->n[1] * p->n[2])), dim3(THREADS), stream, scale_internal)(*p, factor);
  return launched("cooling");
}

struct five {
  triad_real *at[5];
};

static __global__ void __launch_bounds__(THREADS)
  draw(const triad_gas_gpu_points p, const triad_real *rate, const five to, double dt)
{
  const int64_t at = row_at(p, blockIdx.x);
  for (int64_t x = threadIdx.x; x < p.n[0]; x += THREADS)
    triad_gas_draw(p.u, at + x, rate, to.at, blockIdx.x * p.n[0] + x, dt);
}

extern "C" int triad_gas_gpu_draw(const triad_gas_gpu_points *p, const triad_real *rate, triad_real *const to[5],
                                  double dt, void *stream)
{
  five state;
  for (int f = 0; f < 5; f++) state.at[f] = to[f];
  TRIAD_LAUNCH(dim3((unsigned)(p->n[1] * p->n[2])), dim3(THREADS), stream, draw)(*p, rate, state, dt);
  return launched("a sponge");
}
