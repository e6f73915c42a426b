/* The contribution of formulas to N of a mode, for cuda/ only. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_FORCE_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_FORCE_H

#include "solvers/spectral/equations/device_measure.h"

/* re, im of three components less k (k.f)/k^2, k the wavenumber of derivatives, and no mean. */
static __device__ __forceinline__ void project_force(const triad_wave_numbers &w, double *re, double *im)
{
  const double *k = w.derivative;
  const double k2 = triad_mode_k2(k), keep = triad_mode_k2(w.size) > 0, per_k2 = k2 > 0 ? 1 / k2 : 0;
  const double along_re = k[0] * re[0] + k[1] * re[1] + k[2] * re[2],
               along_im = k[0] * im[0] + k[1] * im[1] + k[2] * im[2];
#pragma unroll
  for (int a = 0; a < 3; a++) {
    re[a] = keep * re[a] - k[a] * (along_re * per_k2);
    im[a] = keep * im[a] - k[a] * (along_im * per_k2);
  }
}

static inline triad_gpu_force no_force_of_field(void)
{
  triad_gpu_force none = {};
  none.result = -1;
  return none;
}

/* Of N fields, by value. */
template <int N> struct mode_force {
  triad_gpu_force of[N];
  explicit mode_force(const triad_gpu_force *force)
  {
    for (int f = 0; f < N; f++) of[f] = force ? force[f] : no_force_of_field();
  }

  /* re, im <- it at mode m, whose first FROM fields are u. */
  template <int FROM>
  __device__ __forceinline__ void at(const mode &m, const triad_gpu_results &results, int64_t columns,
                                     const triad_cplx *u, double *re, double *im) const
  {
#pragma unroll
    for (int f = 0; f < N; f++) {
      re[f] = im[f] = 0;
      if (of[f].result >= 0) {
        const triad_cplx r = results.base[m.j * results.stride + of[f].result * columns + m.column];
        re[f] = (double)r.re;
        im[f] = (double)r.im;
      }
#pragma unroll
      for (int k = 0; k < FROM; k++) {
        re[f] += of[f].now[k] * (double)u[k].re;
        im[f] += of[f].now[k] * (double)u[k].im;
      }
#pragma unroll
      for (int k = 0; k < TRIAD_GPU_FORCE_WHOLE; k++) {
        if (k >= of[f].n_whole) continue;
        const triad_cplx whole = of[f].whole[k][m.i];
        re[f] += of[f].times[k] * (double)whole.re;
        im[f] += of[f].times[k] * (double)whole.im;
      }
    }
#pragma unroll
    for (int f = 0; f + 2 < N; f++)
      if (of[f].vector) project_force(m.k, re + f, im + f);
  }

  /* The same, added to n. */
  template <int FROM>
  __device__ __forceinline__ void add(const mode &m, const triad_gpu_results &results, int64_t columns,
                                      const triad_cplx *u, triad_cplx *n) const
  {
    double re[N], im[N];
    at<FROM>(m, results, columns, u, re, im);
#pragma unroll
    for (int f = 0; f < N; f++) {
      n[f].re += (triad_real)re[f];
      n[f].im += (triad_real)im[f];
    }
  }
};

#endif
