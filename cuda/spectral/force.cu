/* Forces that are formulas, at the modes (solvers/spectral/force/gpu_formula.h). */
#include "solvers/spectral/equations/device_force.h"
#include "solvers/spectral/force/gpu_formula.h"

static __global__ void parts_kernel(triad_gpu_force_parts p, int component, triad_cplx *target, double tau,
                                    double weight)
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

extern "C" int triad_gpu_force_add_parts(const triad_gpu_force_parts *parts, int component, triad_cplx *target,
                                         double tau, double weight, void *stream)
{
  if (parts->count == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(parts->count, 128)), dim3(128), stream, parts_kernel)
  (*parts, component, target, tau, weight);
  return launched("a force's modes");
}

struct power_term {
  enum { COUNT = 1 };
  int n;
  int64_t columns;
  triad_gpu_results results;
  mode_force<TRIAD_GPU_FORCE_FROM> force;
  const triad_cplx *u[TRIAD_GPU_FORCE_FROM];
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx v[TRIAD_GPU_FORCE_FROM];
    double re[TRIAD_GPU_FORCE_FROM], im[TRIAD_GPU_FORCE_FROM];
#pragma unroll
    for (int i = 0; i < TRIAD_GPU_FORCE_FROM; i++) v[i] = i < n ? u[i][m.i] : triad_cplx{0, 0};
    force.at<TRIAD_GPU_FORCE_FROM>(m, results, columns, v, re, im);
    terms[0] = 0;
#pragma unroll
    for (int i = 0; i < TRIAD_GPU_FORCE_FROM; i++) terms[0] += (double)v[i].re * re[i] + (double)v[i].im * im[i];
  }
};

extern "C" int triad_gpu_force_power(const triad_gpu_measure *m, int n, const triad_gpu_force *force)
{
  triad_gpu_force all[TRIAD_GPU_FORCE_FROM];
  for (int i = 0; i < TRIAD_GPU_FORCE_FROM; i++) {
    all[i] = i < n ? force[i] : no_force_of_field();
    all[i].n_whole = 0;
  }
  power_term term = {n, m->modes.columns, m->results, mode_force<TRIAD_GPU_FORCE_FROM>(all), {}};
  for (int i = 0; i < n; i++) term.u[i] = m->u[i];
  return sum_modes(term, m, m->out);
}
