/* Passive scalars, for cuda/ only: any number of fields beyond those of a set, advected by its velocity u[0..2], each
 * with launches of its own (docs/methods/spectral.md eq. 17). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_SCALAR_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_DEVICE_SCALAR_H

#include "solvers/spectral/equations/device_force.h"
#include "solvers/spectral/equations/device_stage.h"
#include "solvers/spectral/equations/velocity_points.h"

struct scalar_gradient {
  triad_real g[3];
};

static __device__ __forceinline__ void flux_of(const triad_gpu_results &results, int64_t columns, int first,
                                               const mode &m, triad_cplx *flux)
{
#pragma unroll
  for (int c = 0; c < TRIAD_FLUX_TERMS; c++)
    flux[c] = results.base[m.j * results.stride + (first + c) * columns + m.column];
}

/* What a formula of the state's first fields, of which there are n, adds to N of a scalar; n < 0: there is none. */
struct scalar_force {
  int n;
  mode_force<1> force;
  const triad_cplx *from[TRIAD_GPU_FORCE_FROM];
  scalar_force(const triad_gpu_update *p, int field)
      : n(!p->force                      ? -1
          : field < TRIAD_GPU_FORCE_FROM ? field
                                         : TRIAD_GPU_FORCE_FROM),
        force(p->force ? p->force + field : NULL)
  {
    for (int k = 0; k < TRIAD_GPU_FORCE_FROM; k++) from[k] = k < n ? p->u[k] : NULL;
  }
  __device__ __forceinline__ void add(const mode &m, const triad_gpu_results &results, int64_t columns,
                                      triad_cplx *to) const
  {
    triad_cplx u[TRIAD_GPU_FORCE_FROM];
#pragma unroll
    for (int k = 0; k < TRIAD_GPU_FORCE_FROM; k++)
      u[k] = k < n && (force.of[0].now[k] < 0 || force.of[0].now[k] > 0) ? from[k][m.i] : triad_cplx{0, 0};
    force.add<TRIAD_GPU_FORCE_FROM>(m, results, columns, u, to);
  }
};

static __global__ void scalar_kernel(stage_args p, stage_fields<1> f, stage_fields<3> velocity, scalar_gradient mean,
                                     int first_flux, scalar_force force, triad_gpu_modes modes)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return;
  triad_cplx flux[TRIAD_FLUX_TERMS], s = f.u[0][i];
  flux_of(p.results, modes.columns, first_flux, m, flux);
  const triad_cplx u[3] = {velocity.u[0][i], velocity.u[1][i], velocity.u[2][i]};
  p.read_times();
  triad_cplx n = triad_scalar_mode(mean.g, real_k_of(m).k, u, flux);
  if (force.n >= 0) force.add(m, p.results, modes.columns, &n);
  advance_mode<1>(p, f, m, &s, &n);
}

/* Field `field` of an update, its fluxes, of which chains leave two, results first_flux and the next, its mean
 * gradient. */
static int update_scalar(const triad_gpu_update *p, int field, int first_flux, const double *gradient, void *stream)
{
  const scalar_gradient mean = {{(triad_real)gradient[0], (triad_real)gradient[1], (triad_real)gradient[2]}};
  TRIAD_LAUNCH(dim3(blocks_for(p->modes.n, 256)), dim3(256), stream, scalar_kernel)
  (stage_args(p), stage_fields<1>(p, field), stage_fields<3>(p, 0), mean, first_flux, scalar_force(p, field), p->modes);
  return launched("update of a scalar");
}

struct scalar_sums_term {
  enum { COUNT = TRIAD_SCALAR_SUMS };
  triad_decay decay;
  triad_edge edge;
  const triad_cplx *s, *u[3];
  scalar_sums_term(const triad_decay &d, const triad_edge &e, const triad_cplx *const *fields, int field)
      : decay(d), edge(e), s(fields[field]), u{fields[0], fields[1], fields[2]}
  {
  }
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    const triad_cplx v[3] = {u[0][m.i], u[1][m.i], u[2][m.i]};
    triad_scalar_mode_sums(&decay, &edge, &m.k, s[m.i], v, terms);
  }
};

struct scalar_density_term {
  enum { COUNT = 1 };
  const triad_cplx *s;
  __device__ __forceinline__ void at(const mode &m, double *terms) const { terms[0] = triad_mode_square(s[m.i]) / 2; }
};

struct scalar_transfer_term {
  enum { COUNT = 1 };
  const triad_cplx *s;
  triad_gpu_results results;
  int64_t columns;
  int first_flux;
  scalar_transfer_term(const triad_gpu_measure *m, int field, int first)
      : s(m->u[field]), results(m->results), columns(m->modes.columns), first_flux(first)
  {
  }
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    triad_cplx flux[TRIAD_FLUX_TERMS];
    flux_of(results, columns, first_flux, m, flux);
    terms[0] = triad_scalar_mode_transfer(real_k_of(m).k, s[m.i], flux);
  }
};

#endif
