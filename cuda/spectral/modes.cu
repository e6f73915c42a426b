/* Gather and scatter single modes (solvers/spectral/force/gpu_modes.h); operations of every set on whole fields
 * (solvers/spectral/equations/gpu_set.h). */
#include "solvers/spectral/equations/device_stage.h"

static __global__ void get(int n_fields, int64_t n, const int64_t *index, stage_outputs f, triad_cplx *packed)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n_fields * n) packed[i] = f.u[i / n][index[i % n]];
}

static __global__ void unpack_modes(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
                                    stage_outputs f)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= n_fields * n) return;
  triad_cplx *to = &f.u[i / n][index[i % n]];
  to->re = packed[i].re + (add ? to->re : 0);
  to->im = packed[i].im + (add ? to->im : 0);
}

static stage_outputs outputs_of(int n, triad_cplx *const *u)
{
  stage_outputs f = {};
  for (int c = 0; c < n; c++) f.u[c] = u[c];
  return f;
}

extern "C" int triad_gpu_modes_get(int n_fields, int64_t n, const int64_t *index, triad_cplx *const *u,
                                   triad_cplx *packed, void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n_fields * n, 128)), dim3(128), stream, get)
  (n_fields, n, index, outputs_of(n_fields, u), packed);
  return launched("modes out");
}

extern "C" int triad_gpu_modes_put(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
                                   triad_cplx *const *u, void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n_fields * n, 128)), dim3(128), stream, unpack_modes)
  (n_fields, n, index, packed, add, outputs_of(n_fields, u));
  return launched("modes in");
}

/* ---- whole fields ---- */

static __global__ void keep_kernel(triad_gpu_modes modes, triad_gpu_results results, int r, triad_cplx *field)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  int64_t j = i / modes.columns, c = i - j * modes.columns;
  bool kept = size_of(modes.kz[j]) <= modes.extent[c];
  field[i] = kept ? results.base[j * results.stride + r * modes.columns + c] : triad_cplx{0, 0};
}

extern "C" int triad_gpu_keep(const triad_gpu_modes *modes, const triad_gpu_results *results, int r, triad_cplx *field,
                              void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, 256)), dim3(256), stream, keep_kernel)(*modes, *results, r, field);
  return launched("keeping a result");
}

/* ---- messages between a step and the host ---- */

static __global__ void peaks_kernel(const double *peaks, volatile triad_gpu_talk *talk)
{
  for (int i = 0; i < TRIAD_GPU_PEAKS; i++) talk->peaks[i] = peaks[i];
  __threadfence_system();
  talk->come = 1;
}

extern "C" int triad_gpu_tell_peaks(const double *peaks, triad_gpu_talk *talk, void *stream)
{
  TRIAD_LAUNCH(dim3(1), dim3(1), stream, peaks_kernel)(peaks, talk);
  return launched("peaks to the host");
}

static __global__ void times_kernel(const volatile triad_gpu_talk *talk, int n, double *times)
{
  const int i = threadIdx.x;
  if (i < n) times[i] = talk->times[i];
}

extern "C" int triad_gpu_take_times(const triad_gpu_talk *talk, int n, double *times, void *stream)
{
  TRIAD_LAUNCH(dim3(1), dim3(TRIAD_GPU_TIMED), stream, times_kernel)(talk, n, times);
  return launched("times of a step");
}

static __global__ void turn_kernel(triad_gpu_modes modes, double alpha, double mu, double tau, triad_cplx *u0,
                                   triad_cplx *u1)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  double s, c;
  sincos((alpha * triad_mode_k2(m.k.size) - mu) * tau, &s, &c);
  triad_stage_turn((triad_real)c, (triad_real)s, u0 + i, u1 + i);
}

extern "C" int triad_gpu_turn(const triad_gpu_modes *modes, double alpha, double mu, double tau, triad_cplx *const *u,
                              void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, 256)), dim3(256), stream, turn_kernel)(*modes, alpha, mu, tau, u[0], u[1]);
  return launched("turn");
}

struct squares_term {
  enum { COUNT = 2 };
  const triad_cplx *u;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    const double re = (double)u[m.i].re, im = (double)u[m.i].im;
    terms[0] = re * re + im * im;
    terms[1] = triad_mode_k2(m.k.derivative) * terms[0];
  }
};

extern "C" int triad_gpu_sum_squares(const triad_gpu_measure *m, int field)
{
  return sum_modes(squares_term{m->u[field]}, m, m->out);
}
