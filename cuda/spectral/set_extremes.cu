/* Extremes of a velocity: an x pass without results. peaks: the largest sum_i |u_i|/dx_i, and the largest |u|^2. */
#include "fft/gpu/device_fused_forms.h"
#include "solvers/spectral/equations/velocity_points.h"

struct spacings {
  double per[3];
};

/* Rows go in pairs where lines are built in; else as the host says. */
template <int N, bool WIDE> struct extremes_shape {
#ifdef __CUDACC_RTC__
  typedef std::conditional_t<one_by_one(N, 0), fused_row<N, WIDE>, fused_pair<N, WIDE>> form;
#else
  typedef fused_pair<N, WIDE> form;
#endif
  typedef fused_shape<form::LINE> shape;
  enum { ROWS = (int)form::ROWS * (int)shape::LANES };
  static constexpr size_t shared = ((size_t)shape::LANES * 2 * shape::PADDED + form::TABLE) * sizeof(dcplx);
};

template <int N, bool WIDE>
static __global__ void __launch_bounds__(extremes_shape<N, WIDE>::shape::THREADS)
  extremes(triad_gpu_shape g, spacings a, const dcplx *in, int64_t rows, double *peaks)
{
  TRIAD_SHARED(memory);
  typedef typename extremes_shape<N, WIDE>::form form;
  typedef fused_shape<form::LINE> shape;
  typedef factored<form::LINE> F;
  const int t = fused_thread<form::LINE>(), lane = threadIdx.y;
  dcplx *table = (dcplx *)memory, *mine = table + form::TABLE + lane * 2 * shape::PADDED;
  fused_line l = {{mine, mine + shape::PADDED}, table, t, g.kx_most};
  const int64_t first = form::ROWS * ((int64_t)blockIdx.x * shape::LANES + lane), field = rows * g.pitch,
                left = rows - first;
  double rate[F::E][2] = {}, speed2[F::E][2] = {};
  form::fill(table, (const dcplx *)g.twiddle[0]);
  __syncthreads();
#pragma unroll
  for (int f = 0; f < 3; f++) {
    dcplx line[1][F::E], *v = line[0];
    const int there = left < form::ROWS ? (int)left : (int)form::ROWS;
    const dcplx *row = in + f * field + first * g.pitch;
    if (g.from) form::load(v, row, row_in_pieces{g.from}, g.pitch, there, l);
    else form::load(v, row, whole_row{}, g.pitch, there, l);
    fused_transform<1, form::LINE, 1>(line, l.x, t, table);
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

#ifndef __CUDACC_RTC__
#include "fft/gpu/gpu_pass.h"

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

template <int N, bool WIDE> static int extremes_of_lines(spacings a, int64_t rows, const triad_gpu_chunk *c)
{
  typedef extremes_shape<N, WIDE> room;
  TRIAD_TRY(allow_shared(extremes<N, WIDE>, room::shared));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(rows, room::ROWS)), dim3(room::shape::WIDTH, room::shape::LANES), room::shared,
                      c->stream, extremes<N, WIDE>)
  (*c->shape, a, (const dcplx *)c->in, rows, c->peaks);
  return launched("extremes");
}

extern "C" int triad_gpu_extremes(const void *per_spacing, const triad_gpu_chunk *c)
{
  const spacings a = *(const spacings *)per_spacing;
  const int64_t rows = (int64_t)c->count * c->shape->n[1];
  if (c->shape->library[0]) return extremes_of_rows(a, c);
  if (c->shape->compiled[0]) {
    const void *const arguments[] = {c->shape, &a, &c->in, &rows, &c->peaks};
    return triad_gpu_compiled_extremes(c->shape->compiled[0], rows, arguments, c->stream);
  }
  return with_size(c->shape->n[0], [&](auto size) {
    return c->shape->wide ? extremes_of_lines<size(), true>(a, rows, c) : extremes_of_lines<size(), false>(a, rows, c);
  });
}
#endif
