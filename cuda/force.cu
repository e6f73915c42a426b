/* Forces that are formulas, at the modes (solvers/spectral/force/gpu_formula.h). */
#include "solvers/spectral/equations/device_measure.h"
#include "solvers/spectral/force/gpu_formula.h"

/* Less k (k.f)/k^2, and no mean. */
static __device__ __forceinline__ void project(const double *k, double *re, double *im)
{
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], keep = k2 > 0, per_k2 = k2 > 0 ? 1 / k2 : 0;
  const double along_re = k[0] * re[0] + k[1] * re[1] + k[2] * re[2], along_im = k[0] * im[0] + k[1] * im[1] + k[2] * im[2];
#pragma unroll
  for (int a = 0; a < 3; a++) {
    re[a] = keep * re[a] - k[a] * (along_re * per_k2);
    im[a] = keep * im[a] - k[a] * (along_im * per_k2);
  }
}

static __global__ void rates_kernel(triad_gpu_modes modes, triad_gpu_results results, triad_gpu_force_group g)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  const bool kept = size_of(modes.kz[m.j]) <= modes.extent[m.column];
  double re[3] = {0, 0, 0}, im[3] = {0, 0, 0};
#pragma unroll
  for (int a = 0; a < 3; a++) {
    if (!kept || a >= g.components) continue;
    if (g.result[a] >= 0) {
      const triad_cplx r = results.base[m.j * results.stride + g.result[a] * modes.columns + m.column];
      re[a] = (double)r.re;
      im[a] = (double)r.im;
    }
    for (int k = 0; k < g.n_from; k++) {
      re[a] += g.now[a][k] * (double)g.from[k][i].re;
      im[a] += g.now[a][k] * (double)g.from[k][i].im;
    }
  }
  if (g.solenoidal) project(m.k, re, im);
#pragma unroll
  for (int a = 0; a < 3; a++)
    if (a < g.components) g.f[a][i] = triad_cplx{(triad_real)re[a], (triad_real)im[a]};
}

extern "C" int triad_gpu_force_rates(const triad_gpu_modes *modes, const triad_gpu_results *results,
                                     const triad_gpu_force_group *group, void *stream)
{
  if (modes->n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, 256)), dim3(256), stream, rates_kernel)(*modes, *results, *group);
  return launched("a force's rates");
}

static __global__ void add_kernel(triad_gpu_modes modes, const triad_cplx *f, triad_cplx *target, triad_decay decay, double tau,
                                  double weight)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  const double factor = weight * exp(-tau * triad_decay_of(&decay, triad_mode_k2(m.k)));
  target[i].re += (triad_real)(factor * (double)f[i].re);
  target[i].im += (triad_real)(factor * (double)f[i].im);
}

extern "C" int triad_gpu_force_add(const triad_gpu_modes *modes, const triad_gpu_force_group *group, triad_cplx *const *target,
                                   const triad_decay *decay, double tau, double weight, void *stream)
{
  for (int a = 0; a < group->components && modes->n > 0; a++)
    TRIAD_LAUNCH(dim3(blocks_for(modes->n, 256)), dim3(256), stream, add_kernel)(*modes, group->f[a], target[a], decay[a], tau,
                                                                                weight);
  return launched("a force");
}

static __global__ void parts_kernel(triad_gpu_force_parts p, int component, triad_cplx *target, double tau, double weight)
{
  const int64_t m = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (m >= p.count) return;
  const int64_t at = p.components * m + component;
  const double factor = weight * exp(-p.lambda[at] * tau);
  double re = 0, im = 0;
  for (int k = 0; k < p.n; k++) {
    re += p.now[k] * p.f[k][2 * at];
    im += p.now[k] * p.f[k][2 * at + 1];
  }
  triad_cplx *to = &target[p.index[m]];
  to->re += (triad_real)(factor * re);
  to->im += (triad_real)(factor * im);
}

extern "C" int triad_gpu_force_add_parts(const triad_gpu_force_parts *parts, int component, triad_cplx *target, double tau,
                                         double weight, void *stream)
{
  if (parts->count == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(parts->count, 128)), dim3(128), stream, parts_kernel)(*parts, component, target, tau, weight);
  return launched("a force's modes");
}

struct power_term {
  enum { COUNT = 1 };
  int n;
  const triad_cplx *u[TRIAD_GPU_FORCE_FROM], *f[TRIAD_GPU_FORCE_FROM];
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    terms[0] = 0;
    for (int i = 0; i < n; i++) terms[0] += triad_mode_product(u[i][m.i], f[i][m.i]);
  }
};

extern "C" int triad_gpu_force_power(const triad_gpu_measure *m, int n, const triad_cplx *const *u, const triad_cplx *const *f)
{
  power_term term = {};
  term.n = n;
  for (int i = 0; i < n; i++) {
    term.u[i] = u[i];
    term.f[i] = f[i];
  }
  return sum_modes(term, m, m->out);
}
