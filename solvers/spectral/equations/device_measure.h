/* Sums over modes, for cuda/ only: over all modes, or bin by bin. Every sum has a fixed order, so it is reproducible;
 * terms are double in either precision.
 *
 * A term is a struct with enum COUNT and
 *   void at(const mode &m, double *terms) const     the COUNT terms of a mode, Hermitian weight left out */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_MEASURE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_MEASURE_H

#include "fft/gpu/device_launch.h"
#include "grid/bin_points.h"
#include "solvers/spectral/equations/gpu_set.h"

struct mode {
  int64_t i, j, column;
  triad_wave_numbers k;
};

static __device__ __forceinline__ mode mode_of(const triad_gpu_modes &m, int64_t j, int64_t c)
{
  return mode{j * m.columns + c, j, c, {{m.wx[c], m.wy[c], m.wz[j]}, {m.size_x[c], m.size_y[c], m.size_z[j]}}};
}

/* The wavenumber of derivatives as the arithmetic of rates has it, and 1/k^2 (kernels.h says what it is for k = 0). */
struct real_k {
  triad_real k[3], inverse_k2;
};

static __device__ __forceinline__ real_k real_k_of(const mode &m)
{
  const double *k = m.k.derivative;
  double k2 = triad_mode_k2(k);
  return real_k{{(triad_real)k[0], (triad_real)k[1], (triad_real)k[2]},
                k2 > 0 ? (triad_real)(1 / k2) : (triad_real)(triad_mode_k2(m.k.size) > 0)};
}

static __device__ __forceinline__ int32_t size_of(int32_t kz) { return kz < 0 ? -kz : kz; }

enum { SUM_THREADS = 256, SUM_BLOCKS = 512 };

/* The block's sum of each of N numbers, in thread 0. */
template <int N> __device__ __forceinline__ void sum_block(double *mine)
{
  __shared__ double warps[SUM_THREADS / 32][N];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int x = 0; x < N; x++) {
    for (int step = 16; step > 0; step /= 2) mine[x] += __shfl_down_sync(0xffffffffu, mine[x], step);
    if (lane == 0) warps[warp][x] = mine[x];
  }
  __syncthreads();
  if (threadIdx.x == 0)
#pragma unroll
    for (int x = 0; x < N; x++) {
      mine[x] = 0;
      for (int w = 0; w < SUM_THREADS / 32; w++) mine[x] += warps[w][x];
    }
}

template <class Term> static __global__ void sum_kernel(Term term, triad_gpu_modes modes, double *partial)
{
  double sums[Term::COUNT] = {0};
  for (int64_t i = blockIdx.x * (int64_t)SUM_THREADS + threadIdx.x; i < modes.n;
       i += (int64_t)SUM_BLOCKS * SUM_THREADS) {
    int64_t j = i / modes.columns, c = i - j * modes.columns;
    if (size_of(modes.kz[j]) > modes.extent[c]) continue;
    double terms[Term::COUNT];
    term.at(mode_of(modes, j, c), terms);
#pragma unroll
    for (int x = 0; x < Term::COUNT; x++) sums[x] += modes.weight[c] * terms[x];
  }
  sum_block<Term::COUNT>(sums);
  if (threadIdx.x == 0)
#pragma unroll
    for (int x = 0; x < Term::COUNT; x++) partial[blockIdx.x * Term::COUNT + x] = sums[x];
}

/* out[x] = sum over b of partial[b * count + x], one thread a number. */
static __global__ void fold_kernel(const double *partial, int blocks, int count, double *out)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= count) return;
  double sum = 0;
  for (int b = 0; b < blocks; b++) sum += partial[(int64_t)b * count + x];
  out[x] = sum;
}

#ifndef __CUDACC_RTC__
static inline int fold(const double *partial, int blocks, int count, double *out, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(count, 64)), dim3(64), stream, fold_kernel)(partial, blocks, count, out);
  return launched("fold of sums");
}

/* out[x], x < COUNT. */
template <class Term> static int sum_modes(const Term &term, const triad_gpu_measure *m, double *out)
{
  static_assert(Term::COUNT * SUM_BLOCKS <= TRIAD_GPU_PARTIALS, "buffers for partial sums");
  TRIAD_LAUNCH(dim3(SUM_BLOCKS), dim3(SUM_THREADS), m->stream, sum_kernel<Term>)(term, m->modes, m->partial);
  TRIAD_TRY(launched("sums over modes"));
  return fold(m->partial, SUM_BLOCKS, Term::COUNT, out, m->stream);
}
#endif

/* sums += the terms of mode (j, c) with its weight. */
template <class Term>
static __device__ __forceinline__ void gather_mode(const Term &term, const triad_gpu_modes &modes, int64_t j, int64_t c,
                                                   double *sums)
{
  double terms[Term::COUNT];
  term.at(mode_of(modes, j, c), terms);
#pragma unroll
  for (int x = 0; x < Term::COUNT; x++) sums[x] += modes.weight[c] * terms[x];
}

/* A block gathers bin blockIdx.x of group blockIdx.y: for each of its columns |kz| runs from where the bin may
 * begin. The mode at n/2, which only a grid of every mode has, is one and not two. */
template <class Term>
static __global__ void gather_kernel(Term term, triad_gpu_modes modes, triad_gpu_bins bins, double *out)
{
  const int64_t b = blockIdx.x, g = blockIdx.y;
  const double low = ((double)b - 0.5) * bins.width, step = modes.nkz > 1 ? modes.size_z[1] : 1;
  double sums[Term::COUNT] = {0};
  for (int at = bins.offset[g] + (int)threadIdx.x; at < bins.offset[g + 1]; at += SUM_THREADS) {
    const int64_t c = bins.column[at];
    const double across2 = bins.across2[c], gap = low > 0 ? low * low - across2 : 0;
    int kz = gap > 0 ? (int)(sqrt(gap) / step) - 1 : 0;
    for (kz = kz < 0 ? 0 : kz; kz <= modes.extent[c]; kz++) {
      const int64_t bin = triad_bin(across2, modes.size_z[kz], bins.width);
      if (bin > b) break;
      if (bin < b) continue;
      const int sides = kz > 0 && 2 * (int64_t)kz != modes.nkz ? 2 : 1;
      for (int side = 0; side < sides; side++) gather_mode(term, modes, side ? modes.nkz - kz : kz, c, sums);
    }
  }
  sum_block<Term::COUNT>(sums);
  if (threadIdx.x == 0)
#pragma unroll
    for (int x = 0; x < Term::COUNT; x++) out[(x * bins.n_groups + g) * bins.n_bins + b] = sums[x];
}

#ifndef __CUDACC_RTC__
/* out[(x * n_groups + g) * n_bins + b]. */
template <class Term>
static int gather_modes(const Term &term, const triad_gpu_measure *m, const triad_gpu_bins *bins, double *out)
{
  TRIAD_LAUNCH(dim3((unsigned)bins->n_bins, (unsigned)bins->n_groups), dim3(SUM_THREADS), m->stream,
               gather_kernel<Term>)
  (term, m->modes, *bins, out);
  return launched("sums over bins");
}
#endif

#endif
