/* Subgrid models at points (solvers/spectral/closure/gpu_closure.h), and slopes of modes for them. */
#include "solvers/spectral/closure/gpu_closure.h"
#include "fft/gpu/device_launch.h"
#include "fft/gpu/gpu_pass.h"
#include "solvers/spectral/closure/stress_points.h"

static __global__ void slope_kernel(triad_gpu_modes m, int axis, const triad_cplx *u, triad_cplx *out)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= m.n) return;
  const int64_t j = i / m.columns, c = i - j * m.columns;
  const triad_real k = (triad_real)(axis == 0 ? m.wx[c] : axis == 1 ? m.wy[c] : m.wz[j]);
  const triad_cplx value = u[i];
  out[i] = triad_cplx{-k * value.im, k * value.re};
}

extern "C" int triad_gpu_closure_slope(const triad_gpu_modes *m, int axis, const triad_cplx *u, triad_cplx *out,
                                       void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(m->n, 256)), dim3(256), stream, slope_kernel)(*m, axis, u, out);
  return launched("slopes of modes");
}

template <int MODEL>
static __device__ __forceinline__ triad_real eddy(const triad_closure_constants &c, const triad_real *g)
{
  if constexpr (MODEL == TRIAD_GPU_SMAGORINSKY) return triad_eddy_smagorinsky(&c, g);
  else if constexpr (MODEL == TRIAD_GPU_VREMAN) return triad_eddy_vreman(&c, g);
  else if constexpr (MODEL == TRIAD_GPU_WALE) return triad_eddy_wale(&c, g);
  else return triad_eddy_sigma(&c, g);
}

/* in: fields, their slopes along z but that of w, along y, along x. */
template <int MODEL>
static __global__ void closure_kernel(triad_gpu_closure_law law, int64_t n, const triad_real *in, triad_real *out,
                                      double *peaks)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  const int fields = 3 + law.n_scalars;
  const triad_real *z = in + fields * n, *y = z + (fields - 1) * n, *x = y + fields * n;
  double rate = 0, most = 0;
  if (i < n) {
    triad_real v[3], g[9], t[TRIAD_STRESS_PRODUCTS] = {};
    for (int f = 0; f < 3; f++) {
      v[f] = in[f * n + i];
      g[3 * f] = x[f * n + i];
      g[3 * f + 1] = y[f * n + i];
      if (f < 2) g[3 * f + 2] = z[f * n + i];
    }
    g[8] = -(g[0] + g[4]);
    const triad_real nu = eddy<MODEL>(law.constants, g);
    if (!law.stress_only) triad_velocity_point(&law.velocity, 0, v, t);
    triad_closure_stress(g, nu, t);
    for (int r = 0; r < TRIAD_STRESS_PRODUCTS; r++) out[r * n + i] = t[r];
    for (int s = 0; s < law.n_scalars; s++) {
      const triad_real scalar = law.stress_only ? 0 : in[(3 + s) * n + i], *mean = law.mean_gradient + 3 * s;
      const triad_real slope[3] = {x[(3 + s) * n + i], y[(3 + s) * n + i], z[(2 + s) * n + i]};
      for (int a = 0; a < 3; a++)
        out[(TRIAD_STRESS_PRODUCTS + 3 * s + a) * n + i] =
          triad_closure_flux(v[a] * scalar, law.per_prandtl, nu, mean[a], slope[a]);
    }
    rate = (double)triad_velocity_rate(&law.velocity, v);
    most = (double)nu;
  }
  raise_peak(peaks, rate);
  raise_peak(peaks + 1, most);
}

template <int MODEL> static int closure_points(const triad_gpu_closure_law *law, const triad_gpu_chunk *c, int64_t n)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, 256)), dim3(256), c->stream, closure_kernel<MODEL>)
  (*law, n, c->rows_in, c->rows_out, c->peaks);
  return launched("a subgrid model");
}

extern "C" int triad_gpu_closure_visit(const void *constants, const triad_gpu_chunk *c)
{
  const triad_gpu_closure_law *law = (const triad_gpu_closure_law *)constants;
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0];
  TRIAD_TRY(triad_gpu_x_backward(c->shape, c->n_in, c->in, c->count, c->rows_in, c->stream));
  TRIAD_TRY(law->model == TRIAD_GPU_SMAGORINSKY ? closure_points<TRIAD_GPU_SMAGORINSKY>(law, c, n)
            : law->model == TRIAD_GPU_VREMAN    ? closure_points<TRIAD_GPU_VREMAN>(law, c, n)
            : law->model == TRIAD_GPU_WALE      ? closure_points<TRIAD_GPU_WALE>(law, c, n)
                                                : closure_points<TRIAD_GPU_SIGMA>(law, c, n));
  return triad_gpu_x_forward(c->shape, c->n_out, c->rows_out, c->count, c->out, c->stream);
}
