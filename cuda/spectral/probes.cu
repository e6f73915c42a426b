/* Sums over modes at probe points (solvers/spectral/probes/gpu_probes.h): a thread sums one column along kz for several
 * values of z, then adds it at their points. */
#include "parallel/device_block.h"
#include "solvers/spectral/probes/gpu_probes.h"

enum { THREADS = 64, ABREAST = 4 };

typedef triad_gpu_modes modes_of_all;
typedef triad_gpu_probe_places places_of_all;

/* A column along kz, of modes u at kz and -kz: sum and difference of both, of which cosines and sines take one each. */
static __device__ __forceinline__ void sum_column(const modes_of_all &m, const places_of_all &p, const triad_cplx *u,
                                                  int64_t column, int along, int64_t first, double s[ABREAST][2])
{
  const int32_t extent = m.extent[column];
  for (int32_t k = 0; k <= extent; k++) {
    const triad_cplx a = u[k * m.columns + column];
    triad_cplx b = {0, 0};
    if (k > 0) b = u[(m.nkz - k) * m.columns + column];
    double sum[2] = {(double)a.re + (double)b.re, (double)a.im + (double)b.im},
           apart[2] = {(double)a.re - (double)b.re, (double)a.im - (double)b.im};
    if (along == 2) { /* i k of one, -i k of the other */
      const double w = m.wz[k], was[4] = {sum[0], sum[1], apart[0], apart[1]};
      sum[0] = -w * was[3];
      sum[1] = w * was[2];
      apart[0] = -w * was[1];
      apart[1] = w * was[0];
    }
#pragma unroll
    for (int z = 0; z < ABREAST; z++) {
      const int64_t row = first + z < p.n_z ? first + z : p.n_z - 1;
      const double c = p.z[2 * (row * (p.kz + 1) + k)], d = p.z[2 * (row * (p.kz + 1) + k) + 1];
      s[z][0] += sum[0] * c - apart[1] * d;
      s[z][1] += sum[1] * c + apart[0] * d;
    }
  }
}

static __global__ void __launch_bounds__(THREADS)
  sum_places(const modes_of_all m, const int32_t *kx, const int32_t *ky, const places_of_all p, const triad_cplx *u,
             int along, double *partial)
{
  const int64_t column = blockIdx.x * (int64_t)THREADS + threadIdx.x, first = blockIdx.y * (int64_t)ABREAST;
  const int there = column < m.columns && m.extent[column < m.columns ? column : 0] >= 0;
  double s[ABREAST][2], weight = 0;
  int64_t at_x = 0, at_y = 0;
#pragma unroll
  for (int z = 0; z < ABREAST; z++) s[z][0] = s[z][1] = 0;
  if (there) {
    sum_column(m, p, u, column, along, first, s);
    weight = m.weight[column];
    at_x = kx[column];
    at_y = ky[column] + p.ky;
  }
#pragma unroll
  for (int z = 0; z < ABREAST; z++) {
    if (there && (along == 0 || along == 1)) {
      const double w = along == 0 ? m.wx[column] : m.wy[column], re = s[z][0];
      s[z][0] = -w * s[z][1];
      s[z][1] = w * re;
    }
    for (int32_t i = first + z < p.n_z ? p.begin[first + z] : 0; first + z < p.n_z && i < p.begin[first + z + 1]; i++) {
      const double *x = p.x + p.row[2 * i] * 2 * (p.kx + 1) + at_x,
                   *y = p.y + p.row[2 * i + 1] * 2 * (2 * p.ky + 1) + at_y;
      const double cx = x[0], sx = x[p.kx + 1], cy = y[0], sy = y[2 * p.ky + 1];
      double value = weight * (s[z][0] * (cx * cy - sx * sy) - s[z][1] * (sx * cy + cx * sy));
      triad_of_block<1, 0>(&value, (int)threadIdx.x, THREADS);
      if (threadIdx.x == 0) partial[i * (int64_t)gridDim.x + blockIdx.x] = value;
    }
  }
}

static __global__ void __launch_bounds__(THREADS) add_blocks(int64_t blocks, const double *partial, double *sum)
{
  double value = 0;
  for (int64_t b = threadIdx.x; b < blocks; b += THREADS) value += partial[blockIdx.x * blocks + b];
  triad_of_block<1, 0>(&value, (int)threadIdx.x, THREADS);
  if (threadIdx.x == 0) sum[blockIdx.x] = value;
}

extern "C" int64_t triad_gpu_probe_blocks(const triad_gpu_modes *m) { return (int64_t)blocks_for(m->columns, THREADS); }

extern "C" int triad_gpu_probe_sum(const triad_gpu_modes *m, const int32_t *kx, const int32_t *ky,
                                   const triad_gpu_probe_places *p, const triad_cplx *u, int along, double *partial,
                                   double *sum, void *stream)
{
  const dim3 blocks(blocks_for(m->columns, THREADS), blocks_for(p->n_z, ABREAST)), threads(THREADS);
  TRIAD_LAUNCH(blocks, threads, stream, sum_places)(*m, kx, ky, *p, u, along, partial);
  TRIAD_LAUNCH(dim3((unsigned)p->n), threads, stream, add_blocks)((int64_t)blocks.x, partial, sum);
  return launched("sums at points");
}
