/* Lines along x (fft/gpu/gpu_lines.h): planes [y][pitch], or pieces of them, <-> rows of points, two rows to a complex
 * line.
 *
 * Two real rows a, b travel as one complex line a + i b. Its transform Z holds A(k) = (Z(k) + conj Z(-k))/2 and B(k)
 * = (Z(k) - conj Z(-k))/(2i); so kx <= Kx of two rows go in and come out of one complex transform, and products of
 * rows are products of real and of imaginary parts. */
#include "fft/gpu/device_launch.h"

/* Elements t + m G of Z from rows a and b, complex [kx], or where `at` says; b NULL: a row of zeros. */
template <int N>
__device__ __forceinline__ void load_pair(dcplx *v, const dcplx *a, const dcplx *b, const int64_t *at, int kx_most,
                                          int t)
{
  typedef factored<N> F;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    v[m] = dcplx{0, 0};
    if (k <= kx_most) {
      const int64_t i = place_of(at, k);
      dcplx p = a[i], q = b ? b[i] : dcplx{0, 0};
      if (k == 0 || (keeps_all && 2 * k == N)) p.y = q.y = 0; /* round-off: the mean of a real row is real */
      v[m] = dcplx{p.x - q.y, p.y + q.x};
    } else if (k >= N - kx_most) {
      const int64_t i = place_of(at, N - k);
      dcplx p = a[i], q = b ? b[i] : dcplx{0, 0};
      v[m] = dcplx{p.x + q.y, q.x - p.y};
    }
  }
}

/* kx <= Kx of both rows from Z; `s` is shared memory [kx][lane]. Every thread of the block must come. */
template <int N, int LANES>
__device__ __forceinline__ void store_pair(const dcplx *v, dcplx *s, dcplx *a, dcplx *b, const int64_t *at, int kx_most,
                                           int t, int lane)
{
  typedef factored<N> F;
  const triad_real half = (triad_real)0.5;
#pragma unroll
  for (int m = 0; m < F::E; m++) s[(t + m * F::G) * LANES + lane] = v[m];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    dcplx z = v[m], w = s[(k ? N - k : 0) * LANES + lane];
    if (k > kx_most) continue;
    const int64_t i = place_of(at, k);
    if (a) a[i] = dcplx{half * (z.x + w.x), half * (z.y - w.y)};
    if (b) b[i] = dcplx{half * (z.y + w.y), half * (w.x - z.x)};
  }
  __syncthreads();
}

template <int N, int LANES>
static __global__ void __launch_bounds__(factored<N>::G *LANES)
  backward(triad_gpu_shape g, const dcplx *planes, int64_t rows, triad_real *points)
{
  TRIAD_SHARED(memory);
  typedef factored<N> F;
  int lane = threadIdx.x, t = threadIdx.y, f = blockIdx.y;
  int64_t first = 2 * ((int64_t)blockIdx.x * LANES + lane);
  bool has_a = first < rows, has_b = first + 1 < rows;
  const dcplx *a = planes + ((int64_t)f * rows + (has_a ? first : 0)) * g.pitch;
  dcplx v[F::E];
  load_pair<N>(v, a, has_b ? a + g.pitch : nullptr, g.from, g.kx_most, t);
  transform_line<1, N, LANES>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[0]);
  triad_real *to = points + ((int64_t)f * rows + first) * N;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    if (has_a) to[t + m * F::G] = v[m].x;
    if (has_b) to[N + t + m * F::G] = v[m].y;
  }
}

template <int N, int LANES>
static __global__ void __launch_bounds__(factored<N>::G *LANES)
  forward(triad_gpu_shape g, const triad_real *points, int64_t rows, dcplx *planes)
{
  TRIAD_SHARED(memory);
  typedef factored<N> F;
  int lane = threadIdx.x, t = threadIdx.y, f = blockIdx.y;
  int64_t first = 2 * ((int64_t)blockIdx.x * LANES + lane);
  bool has_a = first < rows, has_b = first + 1 < rows;
  const triad_real *from = points + ((int64_t)f * rows + first) * N;
  dcplx v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) v[m] = dcplx{has_a ? from[t + m * F::G] : 0, has_b ? from[N + t + m * F::G] : 0};
  transform_line<-1, N, LANES>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[0]);
  dcplx *a = planes + ((int64_t)f * rows + first) * g.pitch;
  store_pair<N, LANES>(v, (dcplx *)memory, has_a ? a : nullptr, has_b ? a + g.pitch : nullptr, g.to, g.kx_most, t,
                       lane);
}

#ifndef __CUDACC_RTC__
#include "fft/gpu/gpu_library.h"

extern "C" int triad_gpu_x_backward(const triad_gpu_shape *g, int n, const triad_cplx *planes, int count,
                                    triad_real *points, void *stream)
{
  const int64_t rows = (int64_t)count * g->n[1];
  if (g->library[0]) return triad_gpu_library_x_backward(g, n, planes, count, points, stream);
  if (g->compiled[0]) return triad_gpu_compiled_x_backward(g, n, planes, count, points, stream);
  return with_size(g->n[0], [&](auto size) {
    constexpr int N = size(), L = row_pairs_of<N>::value;
    constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
    TRIAD_TRY(allow_shared(backward<N, L>, bytes));
    TRIAD_LAUNCH_SHARED(dim3(blocks_for(rows, 2 * L), (unsigned)n), dim3(L, factored<N>::G), bytes, stream,
                        backward<N, L>)
    (*g, (const dcplx *)planes, rows, points);
    return launched("x backward");
  });
}

extern "C" int triad_gpu_x_forward(const triad_gpu_shape *g, int n, const triad_real *points, int count,
                                   triad_cplx *planes, void *stream)
{
  const int64_t rows = (int64_t)count * g->n[1];
  if (g->library[0]) return triad_gpu_library_x_forward(g, n, points, count, planes, stream);
  if (g->compiled[0]) return triad_gpu_compiled_x_forward(g, n, points, count, planes, stream);
  return with_size(g->n[0], [&](auto size) {
    constexpr int N = size(), L = row_pairs_of<N>::value;
    constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
    TRIAD_TRY(allow_shared(forward<N, L>, bytes));
    TRIAD_LAUNCH_SHARED(dim3(blocks_for(rows, 2 * L), (unsigned)n), dim3(L, factored<N>::G), bytes, stream,
                        forward<N, L>)
    (*g, points, rows, (dcplx *)planes);
    return launched("x forward");
  });
}
#endif
