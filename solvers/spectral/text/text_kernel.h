/* Kernels of equations as text, for NVRTC: included after TRIAD_TEXT_CODE is defined, 1 if matrices of coupled fields
 * are in tables and 0 if each thread computes its own, and after the functions that code.h writes. The host takes the
 * plain data of their arguments from here. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_TEXT_KERNEL_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_TEXT_KERNEL_H

#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/text/text_points.h"

/* Kernels of the two programs, in order. */
enum { TRIAD_TEXT_KERNEL_SOURCE, TRIAD_TEXT_KERNEL_UPDATE, TRIAD_TEXT_KERNEL_FILL, TRIAD_TEXT_KERNEL_POINTS };
enum { TRIAD_TEXT_KERNEL_SUMS, TRIAD_TEXT_KERNEL_DENSITIES, TRIAD_TEXT_KERNEL_TRANSFERS, TRIAD_TEXT_KERNEL_FOLD };

/* Functions of position at the points of this rank, and where those of a chunk begin. */
enum { TRIAD_TEXT_KERNEL_PROFILES = 32 };
typedef struct triad_text_profiles {
  const triad_real *value[TRIAD_TEXT_KERNEL_PROFILES];
  int64_t first;
} triad_text_profiles;

#ifdef TRIAD_TEXT_CODE
#include "fft/gpu/device_peak.h"
#include "solvers/spectral/equations/device_stage.h"

#define TRIAD_TEXT_AT_LEAST_1(n) ((n) > 0 ? (n) : 1)

template <int N> struct text_inputs {
  const triad_cplx *u[N];
  __device__ __forceinline__ void get(int64_t i, triad_cplx *to) const
  {
#pragma unroll
    for (int f = 0; f < N; f++) to[f] = u[f][i];
  }
};
template <int N> struct text_outputs {
  triad_cplx *u[N];
};
typedef text_inputs<TRIAD_TEXT_N_FIELDS> text_fields;

/* Results of the pass at a mode. */
static __device__ __forceinline__ void text_results(const triad_gpu_results &r, int64_t columns, const mode &m,
                                                    triad_cplx *t)
{
#pragma unroll
  for (int x = 0; x < TRIAD_TEXT_TERMS; x++) t[x] = r.base[m.j * r.stride + x * columns + m.column];
}

/* ---- steps ---- */

static __global__ void text_source(triad_text_law law, triad_gpu_modes modes, text_fields u,
                                   text_outputs<TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_MADE)> made)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  triad_cplx from[TRIAD_TEXT_N_FIELDS], to[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_MADE)];
  u.get(i, from);
  triad_text_source(&law, m.k.derivative, from, to);
#pragma unroll
  for (int f = 0; f < TRIAD_TEXT_MADE; f++) made.u[f][i] = to[f];
}

/* exp(tau A) of a mode for fields and registers: from tables [element][mode], or computed, which takes many more
 * registers. */
static __device__ __forceinline__ void text_couple(const triad_gpu_modes &modes, const mode &m, double tau,
                                                   const triad_cplx *table, triad_cplx *next, triad_cplx *kept)
{
  if (!(tau > 0 || tau < 0)) return;
#if TRIAD_TEXT_CODE
  triad_text_couple(table + m.i, modes.n, next);
  triad_text_couple(table + m.i, modes.n, kept);
#else
  triad_value e[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_ENTRIES)];
  triad_cplx matrix[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_ENTRIES)];
  triad_text_matrices(m.k.derivative, tau, e);
  for (int x = 0; x < TRIAD_TEXT_ENTRIES; x++) {
    matrix[x].re = (triad_real)e[x].re;
    matrix[x].im = (triad_real)e[x].im;
  }
  triad_text_couple(matrix, 1, next);
  triad_text_couple(matrix, 1, kept);
#endif
}

static __global__ void text_update(triad_text_law law, stage_args p, stage_fields<TRIAD_TEXT_N_FIELDS> f,
                                   triad_gpu_modes modes, const triad_cplx *table)
{
  constexpr int N = TRIAD_TEXT_N_FIELDS;
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return; /* such modes are zero and stay so */
  triad_cplx u[N], t[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_TERMS)], n[N], q[N], next[N], kept[N];
#pragma unroll
  for (int x = 0; x < N; x++) u[x] = f.u[x][i];
  text_results(p.results, modes.columns, m, t);
  triad_text_mode(&law, m.k.derivative, u, t, n);
  p.read_times();
  read_registers<N>(p, f, i, q);
  advanced<N>(p, f.decay, triad_mode_k2(m.k.size), u, q, n, next, kept);
  if constexpr (TRIAD_TEXT_ENTRIES > 0) text_couple(modes, m, p.tau, table, next, kept);
  write_mode<N>(p, f, i, next, kept);
}

static __global__ void text_fill(double tau, triad_gpu_modes modes, triad_cplx *table)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return;
  triad_value e[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_ENTRIES)];
  triad_text_matrices(m.k.derivative, tau, e);
  for (int x = 0; x < TRIAD_TEXT_ENTRIES; x++) {
    table[x * modes.n + i].re = (triad_real)e[x].re;
    table[x * modes.n + i].im = (triad_real)e[x].im;
  }
}

/* Products on rows of physical values: with functions of position, and where no x pass is fused. */
static __global__ void text_points(triad_text_law law, int64_t n, const triad_real *in, triad_real *out,
                                   triad_text_profiles profiles, double dt, double *peak)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  double rate = 0;
  if (i < n) {
    triad_real v[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_IN + TRIAD_TEXT_N_PROFILES)],
      made[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_OUT)];
#pragma unroll
    for (int f = 0; f < TRIAD_TEXT_IN; f++) v[f] = in[f * n + i];
#pragma unroll
    for (int g = 0; g < TRIAD_TEXT_N_PROFILES; g++) v[TRIAD_TEXT_IN + g] = profiles.value[g][profiles.first + i];
    triad_text_point(&law, dt, v, made);
#pragma unroll
    for (int r = 0; r < TRIAD_TEXT_OUT; r++) out[r * n + i] = made[r];
    rate = (double)triad_text_rate(&law, v);
  }
  if (peak) raise_peak(peak, rate);
}

/* ---- budgets, spectra, transfers ---- */

struct text_sums_term {
  enum { COUNT = TRIAD_TEXT_SUMS };
  text_fields u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[TRIAD_TEXT_N_FIELDS];
    u.get(m.i, v);
    triad_text_mode_sums(m.k.derivative, v, terms);
  }
};

struct text_densities_term {
  enum { COUNT = TRIAD_TEXT_DENSITIES };
  text_fields u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[TRIAD_TEXT_N_FIELDS];
    u.get(m.i, v);
    triad_text_mode_densities(m.k.derivative, v, terms);
  }
};

struct text_transfers_term {
  enum { COUNT = TRIAD_TEXT_TRANSFERS };
  text_fields u;
  triad_gpu_results results;
  int64_t columns;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[TRIAD_TEXT_N_FIELDS], t[TRIAD_TEXT_AT_LEAST_1(TRIAD_TEXT_TERMS)];
    u.get(m.i, v);
    text_results(results, columns, m, t);
    triad_text_mode_transfers(m.k.derivative, v, t, terms);
  }
};
#endif

#endif
