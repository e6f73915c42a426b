/* The observed numbers of a superfluid (solvers/spectral/equations/gpu_gpe.h). */
#include "solvers/spectral/equations/device_stage.h"
#include "solvers/spectral/equations/gpe_modes.h"
#include "solvers/spectral/equations/gpu_gpe.h"

static __global__ void slope_kernel(triad_gpu_modes modes, int direction, const triad_cplx *re, const triad_cplx *im,
                                    stage_outputs made)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const triad_real k = (triad_real)mode_of(modes, i / modes.columns, i % modes.columns).k[direction];
  made.u[0][i] = triad_cplx{-k * re[i].im, k * re[i].re};
  made.u[1][i] = triad_cplx{-k * im[i].im, k * im[i].re};
}

extern "C" int triad_gpu_gpe_slope(const triad_gpu_modes *modes, int direction, const triad_cplx *const *u,
                                   triad_cplx *const *made, void *stream)
{
  slope_kernel<<<blocks_for(modes->n, 256), 256, 0, (cudaStream_t)stream>>>(*modes, direction, u[0], u[1],
                                                                            stage_outputs{{made[0], made[1], NULL}});
  return launched("derivative");
}

/* A fixed number of blocks adds to sums of its own, chunk after chunk, so that the order never changes. */
static __global__ void gradient_kernel(double alpha, int64_t n, const triad_real *in, triad_real *out, double *partial)
{
  double sums[2] = {0, 0};
  for (int64_t i = blockIdx.x * (int64_t)SUM_THREADS + threadIdx.x; i < n; i += (int64_t)SUM_BLOCKS * SUM_THREADS) {
    double along, across;
    triad_gpe_split_gradient((double)in[i], (double)in[n + i], (double)in[2 * n + i], (double)in[3 * n + i], &along,
                             &across);
    sums[0] += along * along;
    sums[1] += across * across;
    out[i] = (triad_real)(2 * alpha * across);
  }
  sum_block<2>(sums);
  if (threadIdx.x == 0) {
    partial[2 * blockIdx.x] += sums[0];
    partial[2 * blockIdx.x + 1] += sums[1];
  }
}

extern "C" int triad_gpu_gpe_gradient(const void *law, const triad_gpu_chunk *c)
{
  const triad_gpu_gpe_gradient_law *l = (const triad_gpu_gpe_gradient_law *)law;
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0];
  TRIAD_TRY(triad_gpu_x_backward(c->shape, c->n_in, c->in, c->count, c->rows_in, c->stream));
  gradient_kernel<<<SUM_BLOCKS, SUM_THREADS, 0, (cudaStream_t)c->stream>>>(l->alpha, n, c->rows_in, c->rows_out, l->partial);
  TRIAD_TRY(launched("gradient"));
  return triad_gpu_x_forward(c->shape, c->n_out, c->rows_out, c->count, c->out, c->stream);
}

static __global__ void momentum_kernel(triad_gpu_modes modes, triad_gpu_results results, int direction, int begin,
                                       triad_cplx *flux, triad_cplx *square)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  if (size_of(modes.kz[m.j]) > modes.extent[m.column]) return;
  const triad_real k = (triad_real)m.k[direction];
  const triad_cplx w = results.base[m.j * results.stride + m.column], f = begin ? triad_cplx{0, 0} : flux[i];
  flux[i] = triad_cplx{f.re + k * w.re, f.im + k * w.im};
  square[i] = triad_cplx{(begin ? 0 : square[i].re) + (w.re * w.re + w.im * w.im), 0};
}

extern "C" int triad_gpu_gpe_momentum(const triad_gpu_modes *modes, const triad_gpu_results *results, int direction,
                                      int begin, triad_cplx *flux, triad_cplx *square, void *stream)
{
  momentum_kernel<<<blocks_for(modes->n, 256), 256, 0, (cudaStream_t)stream>>>(*modes, *results, direction, begin, flux,
                                                                               square);
  return launched("momentum");
}

extern "C" int triad_gpu_gpe_fold(const double *partial, double *out, void *stream)
{
  return fold(partial, SUM_BLOCKS, 2, out, stream);
}

struct energies_term {
  enum { COUNT = 3 };
  double factor; /* alpha beta */
  const triad_cplx *density, *flux, *square;
  __device__ __forceinline__ void at(const mode &m, double *terms) const
  {
    const double k2 = triad_mode_k2(m.k);
    terms[0] = factor * triad_mode_square(density[m.i]);
    terms[1] = ((double)square[m.i].re - triad_gpe_mode_compressive(k2, flux[m.i])) / 2;
    terms[2] = k2 * terms[1];
  }
};

extern "C" int triad_gpu_gpe_energies(const triad_gpe_law *law, const triad_gpu_measure *m)
{
  return sum_modes(energies_term{law->alpha * law->beta, m->u[2], m->u[3], m->u[4]}, m, m->out);
}
