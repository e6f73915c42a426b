/* Single modes, picked out and put back (solvers/spectral/force/forcing.h); and what every set does to whole fields
 * (solvers/spectral/equations/gpu_set.h). */
#include "fft/device_fused.h"
#include "solvers/spectral/equations/device_stage.h"
#include "solvers/spectral/equations/velocity_points.h"

static __global__ void get(int n_fields, int64_t n, const int64_t *index, stage_outputs f, triad_cplx *packed)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n_fields * n) packed[i] = f.u[i / n][index[i % n]];
}

static __global__ void put(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
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
  TRIAD_LAUNCH(dim3(blocks_for(n_fields * n, 128)), dim3(128), stream, get)(n_fields, n, index,
                                                                           outputs_of(n_fields, u), packed);
  return launched("modes out");
}

extern "C" int triad_gpu_modes_put(int n_fields, int64_t n, const int64_t *index, const triad_cplx *packed, int add,
                                   triad_cplx *const *u, void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n_fields * n, 128)), dim3(128), stream, put)(n_fields, n, index, packed, add,
                                                                           outputs_of(n_fields, u));
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

static __global__ void turn_kernel(triad_gpu_modes modes, double alpha, double mu, double tau, triad_cplx *u0,
                                   triad_cplx *u1)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= modes.n) return;
  const mode m = mode_of(modes, i / modes.columns, i % modes.columns);
  double s, c;
  sincos((alpha * (m.k[0] * m.k[0] + m.k[1] * m.k[1] + m.k[2] * m.k[2]) - mu) * tau, &s, &c);
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
    terms[1] = (m.k[0] * m.k[0] + m.k[1] * m.k[1] + m.k[2] * m.k[2]) * terms[0];
  }
};

extern "C" int triad_gpu_sum_squares(const triad_gpu_measure *m, int field)
{
  return sum_modes(squares_term{m->u[field]}, m, m->out);
}

/* ---- extremes of a velocity ---- */

struct spacings {
  double per[3];
};

template <int N, bool WIDE>
static __global__ void __launch_bounds__(fused_shape<N>::THREADS)
    extremes_kernel(triad_gpu_shape g, spacings a, const dcplx *in, int64_t rows, double *peaks)
{
  TRIAD_SHARED(memory);
  typedef factored<N> F;
  const int t = fused_thread<N>(), lane = threadIdx.y;
  dcplx *table = (dcplx *)memory, *mine = table + fused_twiddles<N>::SIZE + lane * 2 * fused_shape<N>::PADDED;
  fused_line l = {{mine, mine + fused_shape<N>::PADDED}, table, t, g.kx_most};
  const int64_t first = 2 * ((int64_t)blockIdx.x * fused_shape<N>::LANES + lane), field = rows * g.pitch;
  double rate[F::E][2] = {}, speed2[F::E][2] = {};
  fused_twiddles<N>::fill(table, (const dcplx *)g.twiddle[0]);
  __syncthreads();
#pragma unroll
  for (int f = 0; f < 3; f++) {
    dcplx line[1][F::E], *v = line[0];
    fused_pair<N, WIDE>::load(v, in + f * field + first * g.pitch, g.pitch, rows - first > 1 ? 2 : (int)(rows - first), l);
    fused_transform<1, N, 1>(line, l.x, t, table);
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      const double p[2] = {(double)v[m].x, (double)v[m].y};
      for (int i = 0; i < 2; i++) triad_velocity_extremes_add(a.per[f], p[i], &rate[m][i], &speed2[m][i]);
    }
  }
  double most[2] = {0, 0}, finite = 0;
#pragma unroll
  for (int m = 0; m < F::E; m++)
    for (int i = 0; i < 2; i++) {
      most[0] = fmax(most[0], rate[m][i]);
      most[1] = fmax(most[1], speed2[m][i]);
      finite += rate[m][i] * 0; /* NaN as soon as one value is not finite */
    }
  raise_peak(peaks, most[0] + finite);
  raise_peak(peaks + 1, most[1] + finite);
}

/* The same on rows of physical values. */
static __global__ void extremes_at_points(spacings a, int64_t n, const triad_real *u, double *peaks)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  double rate = 0, speed2 = 0;
  if (i < n)
    for (int f = 0; f < 3; f++) triad_velocity_extremes_add(a.per[f], (double)u[f * n + i], &rate, &speed2);
  raise_peak(peaks, rate);
  raise_peak(peaks + 1, speed2);
}

static int extremes_of_rows(spacings a, const triad_gpu_chunk *c)
{
  const int64_t n = (int64_t)c->count * c->shape->n[1] * c->shape->n[0];
  TRIAD_TRY(triad_gpu_x_backward(c->shape, 3, c->in, c->count, c->rows_in, c->stream));
  TRIAD_LAUNCH(dim3(blocks_for(n, 256)), dim3(256), c->stream, extremes_at_points)(a, n, c->rows_in, c->peaks);
  return launched("extremes");
}

template <int N, bool WIDE> static int extremes_of_lines(spacings a, const triad_gpu_chunk *c)
{
  typedef fused_shape<N> shape;
  const int64_t rows = (int64_t)c->count * c->shape->n[1];
  constexpr size_t bytes = ((size_t)shape::LANES * 2 * shape::PADDED + fused_twiddles<N>::SIZE) * sizeof(dcplx);
  TRIAD_TRY(allow_shared(extremes_kernel<N, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(rows, 2 * shape::LANES)), dim3(shape::WIDTH, shape::LANES), bytes, c->stream,
                      extremes_kernel<N, WIDE>)(*c->shape, a, (const dcplx *)c->in, rows, c->peaks);
  return launched("extremes");
}

extern "C" int triad_gpu_extremes(const void *per_spacing, const triad_gpu_chunk *c)
{
  const spacings a = *(const spacings *)per_spacing;
  if (c->shape->library[0]) return extremes_of_rows(a, c);
  return with_size(c->shape->n[0], [&](auto size) {
    return c->shape->wide ? extremes_of_lines<size(), true>(a, c) : extremes_of_lines<size(), false>(a, c);
  });
}
